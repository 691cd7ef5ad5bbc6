import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { CannotLookError, fine, unknown, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CheckedStage } from '../checked-stage.ts';

/** AWS refuses requests whose time differs by more. Milliseconds. */
const MOST_APART = 5 * 60_000;
const TIMEOUT = 10_000;

const answerSchema = z.looseObject({ headers: z.record(z.string(), z.string()) });

/** The clocks of this machine, of AWS and of the payment service. */
export const clock: Check = {
  name: 'Clock',
  looksAt: () => 'this machine, AWS, the payment service',
  look: async ({ clients, usableRegistry }: CheckedStage) => {
    const [aws, service] = await Promise.all([awsClock(clients.lambda()), serviceClock(usableRegistry)]);
    return [
      clockFinding(
        'this machine',
        aws.here - aws.there,
        'set the clock of this machine: sudo timedatectl set-ntp true',
      ),
      service === undefined
        ? unknown('the payment service does not say its time')
        : clockFinding(
            'the payment service',
            service.there - service.here - (aws.there - aws.here),
            'ask the owner of the payment service to set its clock',
          ),
    ];
  },
};

/** The time there when an answer came, and the time of this machine then. Milliseconds UTC. */
interface Times {
  there: number;
  here: number;
}

async function awsClock(lambda: LambdaClient): Promise<Times> {
  let date: string | undefined;
  let here = 0;
  lambda.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      here = Date.now();
      date = answerSchema.safeParse(answer.response).data?.headers['date'];
      return answer;
    },
    { step: 'deserialize', name: 'daybookDate', override: true },
  );
  await lambda.send(new GetAccountSettingsCommand({}));
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) throw new CannotLookError('an answer of AWS had no Date');
  return { there, here };
}

/** `undefined` when the service does not say its time. It gets no credentials. */
async function serviceClock(usableRegistry: CheckedStage['usableRegistry']): Promise<Times | undefined> {
  const { registry } = await usableRegistry();
  const { origin } = new URL(registry.service.baseUrl);
  try {
    const answer = await fetch(origin, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const there = Date.parse(answer.headers.get('date') ?? '');
    return Number.isNaN(there) ? undefined : { there, here: Date.now() };
  } catch {
    return undefined;
  }
}

function clockFinding(whose: string, apart: number, mend: string): Finding {
  const seconds = Math.round(Math.abs(apart) / 1_000);
  const way = apart > 0 ? 'ahead' : 'behind';
  if (Math.abs(apart) <= MOST_APART) return fine(`${whose} is right within five minutes`);
  return wrong(`${whose} is ${seconds} seconds ${way}`, mend);
}
