// One invocation of a built function in a process of its own, on a clock that may be put forward. Beyond five minutes
// the SDK takes a clock for wrong and repeats what is refused, which only takes longer. Plain JavaScript, to start quickly.
import process from 'node:process';

const { file, functionName, event, ahead } = JSON.parse(process.argv[2]);

const MachineDate = Date;
globalThis.Date = class extends MachineDate {
  constructor(...parts) {
    if (parts.length === 0) super(MachineDate.now() + ahead);
    else super(...parts);
  }

  static now() {
    return MachineDate.now() + ahead;
  }
};

const end = Date.now() + 15 * 60_000;
const context = {
  functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
  memoryLimitInMB: '512',
  awsRequestId: '00000000-0000-4000-8000-000000000000',
  getRemainingTimeInMillis: () => end - Date.now(),
};

async function outcome() {
  try {
    const { handler } = await import(file);
    const answer = (await handler(event, context)) ?? null;
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    return { answer, megabytes: maxRSS / 1_024, seconds: (userCPUTime + systemCPUTime) / 1_000_000 };
  } catch (error) {
    return { error: { name: error.name, message: error.message } };
  }
}

process.send(await outcome(), () => process.exit());
