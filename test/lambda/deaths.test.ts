import { textLike } from '#support/assertions/index.ts';
import { errorOf, hostedSource } from '#support/lambda/hosted.ts';

/** Counts the invocations of its process, and does what the event says. */
const SOURCE = `
let count = 0;
const kept = [];
const ways = {
  answer: async () => ++count,
  hang: () => new Promise(() => setInterval(() => {}, 1_000)),
  exit: () => process.exit(7),
  forget: () => new Promise(() => {}),
  reject: () => { Promise.reject(new Error('nobody waits for this')); return new Promise(() => setInterval(() => {}, 1_000)); },
  heap: () => { for (;;) kept.push(new Array(1_000).fill(count)); },
  buffers: async () => { for (;;) { kept.push(Buffer.alloc(2 ** 22, 1)); await new Promise(setImmediate); } },
};
export const handler = (way) => ways[way]();
`;

it.each([
  ['hang', 'Sandbox.Timedout', /Task timed out after 1\.50 seconds$/, { timeout: 1_500 }],
  ['buffers', 'Runtime.OutOfMemory', /signal: killed$/, { memory: 256 }],
  ['heap', 'Runtime.ExitError', /signal: aborted$/, { nodeOptions: '--max-old-space-size=32' }],
  ['exit', 'Runtime.ExitError', /exit status 7$/, {}],
  ['reject', 'Runtime.ExitError', /exit status 1$/, {}],
  ['forget', 'Runtime.ExitError', /Runtime exited without providing a reason$/, {}],
])(
  'a process that dies by "%s" is %s for the caller, and the next invocation has a new one',
  async (way, type, message, changes) => {
    const host = hostedSource(SOURCE, changes);
    expect(await host.invoke('answer')).toEqual({ answer: 1 });
    expect(await host.invoke('answer')).toEqual({ answer: 2 });
    expect(await host.invoke(way)).toEqual({
      failure: { errorType: type, errorMessage: textLike(message) },
    });
    expect(await host.invoke('answer')).toEqual({ answer: 1 });
    expect(host.started).toBe(2);
  },
);

it('a module that cannot be imported fails every invocation with the error of its import', async () => {
  const host = hostedSource("throw Object.assign(new Error('no settings'), { name: 'EnvironmentError' });");
  expect(errorOf(await host.invoke({}))).toBe('EnvironmentError');
  expect(errorOf(await host.invoke({}))).toBe('EnvironmentError');
  expect(host.started).toBe(2);
});
