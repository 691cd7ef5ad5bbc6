"""What LocalStack's Step Functions do in another way than AWS."""

import json
import os
import re
import time
from collections import defaultdict
from types import SimpleNamespace

import boto3
from localstack.services.stepfunctions.asl.utils import json_path

# A path with a wildcard or a filter gives a list in AWS, also when one value matches. Here it gives that value.
extract_as_localstack_does = json_path.extract_json


def extract_json(path, data):
    if re.search(r"\[\*\]|\[\?\(", path):
        matches = json_path.parse(path).find(data)
        if len(matches) == 1:
            return [matches[0].value]
    return extract_as_localstack_does(path, data)


json_path.extract_json = extract_json

# Modules take their functions from each other by name, so these come after the first change.
from localstack.services.stepfunctions.asl.component.common.retry import (  # noqa: E402
    retrier_decl,
)
from localstack.services.stepfunctions.asl.component.state.state_execution.state_map.iteration.itemprocessor.distributed_item_processor_worker import (  # noqa: E402
    DistributedItemProcessorWorker,
)
from localstack.services.stepfunctions.asl.component.state.state_execution.state_map.result_writer.resource_eval import (  # noqa: E402
    resource_eval_s3 as result_writer,
)
from localstack.services.stepfunctions.asl.component.state.state_execution.state_task import (  # noqa: E402
    lambda_eval_utils,
)
from localstack.services.stepfunctions.asl.eval.program_state import ProgramError  # noqa: E402
from localstack.services.stepfunctions.asl.parse.asl_parser import (  # noqa: E402
    AmazonStateLanguageParser,
)

parse_as_localstack_does = AmazonStateLanguageParser.parse
evaluate = DistributedItemProcessorWorker._eval_job

# How the children of each map run ended. LocalStack forgets it, and writes no files of results.
children = defaultdict(list)

# Seconds.
LONGEST_WAIT = 2


def readable(node):
    """The part of a definition, without what LocalStack's grammar does not have."""
    if isinstance(node, list):
        return [readable(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {name: readable(value) for name, value in node.items() if name != "ItemBatcher"}
    if node.get("ItemBatcher") == {"MaxItemsPerBatch": 1}:
        # A batch of one item is a list of that item.
        kept["ItemSelector"] = {"Items.$": "States.Array($$.Map.Item.Value)"}
    if kept.get("ExecutionType") == "EXPRESS":
        kept["ExecutionType"] = "STANDARD"
    if "ToleratedFailurePercentage" in kept:
        kept["ToleratedFailurePercentage"] = float(kept["ToleratedFailurePercentage"])
    return kept


def parse(definition):
    try:
        text = json.dumps(readable(json.loads(definition)))
    except json.JSONDecodeError:
        text = definition
    return parse_as_localstack_does(text)


def client_of_functions(service, region, state_credentials):
    return boto3.client(
        service,
        region_name=region,
        endpoint_url=os.environ["LAMBDA_ENDPOINT"],
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=boto3.session.Config(retries={"total_max_attempts": 1}, read_timeout=900),
    )


def evaluate_and_remember(self, env, job):
    evaluate(self, env, job)
    ended = env.program_state()
    record = {"Input": json.dumps(job.job_input)}
    if isinstance(ended, ProgramError):
        error = ended.error or {}
        record |= {"Status": "FAILED", "Error": error.get("error"), "Cause": error.get("cause")}
    else:
        record |= {"Status": "SUCCEEDED", "Output": json.dumps(job.job_output)}
    children[self._map_run_record.map_run_arn].append(record)


def write_results(env, resource_runtime_part, state_credentials):
    parameters = env.stack.pop()
    env.stack.pop()
    s3 = result_writer.boto_client_for("s3", resource_runtime_part.region, state_credentials)
    bucket = parameters["Bucket"]
    # The last one is the map that has just ended: an execution has one at a time.
    arn = list(children)[-1]
    directory = f"{parameters['Prefix'].rstrip('/')}/{arn.split(':')[-1]}"
    files = {"FAILED": [], "PENDING": [], "SUCCEEDED": []}
    for status in ("FAILED", "SUCCEEDED"):
        records = [child for child in children[arn] if child["Status"] == status]
        if records:
            key, body = f"{directory}/{status}_0.json", json.dumps(records).encode()
            s3.put_object(Bucket=bucket, Key=key, Body=body)
            files[status].append({"Key": key, "Size": len(body)})
    manifest = {"DestinationBucket": bucket, "MapRunArn": arn, "ResultFiles": files}
    key = f"{directory}/manifest.json"
    s3.put_object(Bucket=bucket, Key=key, Body=json.dumps(manifest).encode())
    env.stack.append({"MapRunArn": arn, "ResultWriterDetails": {"Bucket": bucket, "Key": key}})


def install():
    AmazonStateLanguageParser.parse = staticmethod(parse)
    retrier_decl.time = SimpleNamespace(sleep=lambda seconds: time.sleep(min(seconds, LONGEST_WAIT)))
    lambda_eval_utils.boto_client_for = client_of_functions
    DistributedItemProcessorWorker._eval_job = evaluate_and_remember
    result_writer.ResourceEvalS3._handle_put_object = staticmethod(write_results)
