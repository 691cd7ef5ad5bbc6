// A built function that stays, as a warm one does: each message is an event, and each answer a message.
import process from 'node:process';

const { handler } = await import(process.argv[2]);

process.on('message', async (event) => {
  try {
    process.send({ answer: (await handler(event)) ?? null });
  } catch (error) {
    process.send({ error: { name: error.name, message: error.message } });
  }
});
process.send({ answer: 'ready' });
