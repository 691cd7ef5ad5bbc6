"""What LocalStack lacks to deploy the stacks: some types of resources, and functions without Docker."""

from localstack.services.cloudformation.resource_provider import (
    OperationStatus,
    ProgressEvent,
    ResourceProvider,
    ResourceProviderExecutor,
)
from localstack.services.lambda_.invocation import runtime_executor, version_manager
from localstack.services.stepfunctions.resource_providers.aws_stepfunctions_statemachine import (
    StepFunctionsStateMachineProvider,
)


def made(model, **attributes):
    return ProgressEvent(status=OperationStatus.SUCCESS, resource_model=model | attributes)


class StateMachine(StepFunctionsStateMachineProvider):
    """LocalStack's own, with the attribute that it leaves out."""

    def create(self, request):
        event = super().create(request)
        states, model = request.aws_client_factory.stepfunctions, event.resource_model
        described = states.describe_state_machine(stateMachineArn=model["Arn"])
        # The first revision has no id in LocalStack.
        return made(model, StateMachineRevisionId=described.get("revisionId", "INITIAL"))


class StateMachineVersion(ResourceProvider):
    TYPE = "AWS::StepFunctions::StateMachineVersion"
    SCHEMA = {"primaryIdentifier": ["/properties/Arn"], "readOnlyProperties": ["/properties/Arn"]}

    def create(self, request):
        model = request.desired_state
        published = request.aws_client_factory.stepfunctions.publish_state_machine_version(
            stateMachineArn=model["StateMachineArn"]
        )
        return made(model, Arn=published["stateMachineVersionArn"])


class StateMachineAlias(ResourceProvider):
    TYPE = "AWS::StepFunctions::StateMachineAlias"
    SCHEMA = {"primaryIdentifier": ["/properties/Arn"], "readOnlyProperties": ["/properties/Arn"]}

    def create(self, request):
        model = request.desired_state
        version = model["DeploymentPreference"]["StateMachineVersionArn"]
        created = request.aws_client_factory.stepfunctions.create_state_machine_alias(
            name=model["Name"], routingConfiguration=[{"stateMachineVersionArn": version, "weight": 100}]
        )
        return made(model, Arn=created["stateMachineAliasArn"])


class ConfigurationSet(ResourceProvider):
    TYPE = "AWS::SES::ConfigurationSet"
    SCHEMA = {"primaryIdentifier": ["/properties/Name"]}

    def create(self, request):
        return made(request.desired_state)


class ConfigurationSetEventDestination(ResourceProvider):
    TYPE = "AWS::SES::ConfigurationSetEventDestination"
    SCHEMA = {"primaryIdentifier": ["/properties/Id"], "readOnlyProperties": ["/properties/Id"]}

    def create(self, request):
        return made(request.desired_state, Id=request.logical_resource_id)


class EmailIdentity(ResourceProvider):
    TYPE = "AWS::SES::EmailIdentity"
    SCHEMA = {
        "primaryIdentifier": ["/properties/EmailIdentity"],
        "readOnlyProperties": [f"/properties/DkimDNSToken{part}{n}" for part in ("Name", "Value") for n in (1, 2, 3)],
    }

    def create(self, request):
        domain = request.desired_state["EmailIdentity"]
        names = {f"DkimDNSTokenName{n}": f"token{n}._domainkey.{domain}" for n in (1, 2, 3)}
        values = {f"DkimDNSTokenValue{n}": f"token{n}.dkim.amazonses.com" for n in (1, 2, 3)}
        return made(request.desired_state, **names, **values)


class NoExecutor:
    """Functions are deployed here, and run elsewhere."""

    @staticmethod
    def prepare_version(version):
        pass

    @staticmethod
    def cleanup_version(version):
        pass

    @staticmethod
    def validate_environment():
        return True


PROVIDERS = {
    provider.TYPE: provider
    for provider in (
        StateMachine,
        StateMachineVersion,
        StateMachineAlias,
        ConfigurationSet,
        ConfigurationSetEventDestination,
        EmailIdentity,
    )
}


def install():
    load_as_localstack_does = ResourceProviderExecutor.try_load_resource_provider

    def load(resource_type):
        provider = PROVIDERS.get(resource_type)
        return load_as_localstack_does(resource_type) if provider is None else provider()

    ResourceProviderExecutor.try_load_resource_provider = staticmethod(load)
    for module in (runtime_executor, version_manager):
        module.get_runtime_executor = lambda: NoExecutor
