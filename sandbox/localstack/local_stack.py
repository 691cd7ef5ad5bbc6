"""Starts LocalStack with what it lacks for the stacks and their state machines.

LAMBDA_ENDPOINT is the service that the states call for functions.
"""

import cloud_formation
import interpreter

cloud_formation.install()
interpreter.install()

if __name__ == "__main__":
    from localstack.runtime.main import main

    main()
