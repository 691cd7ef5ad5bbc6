"""Starts LocalStack's Step Functions over another S3 and another Lambda, and adds what it lacks.

S3_ENDPOINT and LAMBDA_ENDPOINT are the services that the states call.
"""

import json
import os
import re
from collections import defaultdict

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
from localstack.services.stepfunctions.asl.component.state.state_execution.state_map.item_reader.resource_eval import (  # noqa: E402
    resource_eval_s3 as item_reader,
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

ENDPOINTS = {"s3": os.environ["S3_ENDPOINT"], "lambda": os.environ["LAMBDA_ENDPOINT"]}


def client_for(service, region, state_credentials):
    return boto3.client(
        service,
        region_name=region,
        endpoint_url=ENDPOINTS[service],
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=boto3.session.Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"}),
    )


for module in (item_reader, result_writer, lambda_eval_utils):
    module.boto_client_for = client_for

# How the children of each map run ended. LocalStack forgets it, and writes no files of results.
children = defaultdict(list)
evaluate = DistributedItemProcessorWorker._eval_job


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


DistributedItemProcessorWorker._eval_job = evaluate_and_remember


def write_results(env, resource_runtime_part, state_credentials):
    parameters = env.stack.pop()
    env.stack.pop()
    s3 = client_for("s3", resource_runtime_part.region, state_credentials)
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


result_writer.ResourceEvalS3._handle_put_object = staticmethod(write_results)

if __name__ == "__main__":
    from localstack.runtime.main import main

    main()
