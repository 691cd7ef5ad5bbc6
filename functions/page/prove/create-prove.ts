import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import * as z from 'zod';
import type { Handler } from '#runtime/lambda-handler.ts';
import type { Environment } from '#registry/environment.ts';
import { dropIdleConnections, requestHandler } from '#runtime/aws-clients.ts';
import { systemClock } from '#runtime/clock.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { Telemetry } from '#runtime/telemetry.ts';
import { dayAt } from '#records/day/business-day.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { readEvent } from '#records/errors/invalid-event.ts';
import { proofKey, provenPagesKey } from '#records/storage/keys.ts';
import { isSigned, keyAlias, lineOf, merkleTree, sha256, signedText, type Proof } from './proof.ts';
import { ProofStore } from './proof-store.ts';

/** It has no member: the clock says the date of the proof. */
export const eventSchema = z.lazy(() => z.strictObject({}));

/** The most pages of one proof. With more a run would need more time or memory than it has. */
const MOST_PAGES = 250_000;

/** Called once per cold start. @param most pages of one proof */
export function buildDependencies({ data, log, stage = 'local' }: Environment, most = MOST_PAGES) {
  const telemetry = new Telemetry('prove', log.level);
  telemetry.atBegin(dropIdleConnections);
  return {
    clock: systemClock,
    telemetry,
    proofs: new ProofStore(createS3Client(), data.bucket),
    most,
    /** All attempts together end well before a run does. Its errors quote nothing. */
    kms: new KMSClient({ maxAttempts: 4, requestHandler: requestHandler(8_000) }),
    alias: keyAlias(stage),
  };
}

type Dependencies = ReturnType<typeof buildDependencies>;

/** No proof can be made now. */
export class ProofError extends DaybookError {
  override readonly name = 'ProofError';
}

const MINUTE = 60_000;
/** A run of the date before may be under way. Only within a date, a conditional write decides between two. */
const FIRST_MINUTES = 15;
/** An object has the time at which its upload began, so it may appear with a time that is over. None takes so long. */
const APPEARS_WITHIN = 60 * MINUTE;

/** Builds `prove` (docs/interfaces.md, 4.10 prove). A page that is sealed meanwhile is in this proof or the next. */
export function createProve(dependencies: Dependencies): Handler<ProveAnswer> {
  const { telemetry, clock } = dependencies;
  return (event, context) =>
    telemetry.during(context, async () => {
      readEvent(eventSchema, event ?? {});
      const answer = await prove(dependencies, clock.now());
      telemetry.logger.info('proved', { ...answer });
      telemetry.count('PagesProven', answer.unchanged ? 0 : answer.pages);
      // The heartbeat: an alarm looks for it.
      telemetry.count('ProofMade', 1);
      return answer;
    });
}

async function prove({ proofs, most, kms, alias }: Dependencies, now: number): Promise<ProveAnswer> {
  const last = (await proofs.dates()).at(-1);
  const before = last && (await proofs.proof(last));
  const date = dayAt(now, 'Etc/UTC');
  if (before && before.date >= date) return answerOf(before, true);
  if (now - Date.parse(date) < FIRST_MINUTES * MINUTE)
    throw new ProofError(`a proof of ${date} can be made from 00:${FIRST_MINUTES} UTC on`);

  // Without a proof, every page is new. What was sealed shortly before the last one is found again.
  const proven = new Set(before && (await proofs.pageLines(before.root)));
  const found = await proofs.sealedSince(before ? Date.parse(before.until) : 0, now, most);
  const lines = found.lines.filter((line) => !proven.has(line));
  const { root } = merkleTree(lines);
  await proofs.create(provenPagesKey(root), lines.map((line) => `${line}\n`).join(''));
  const { KeyId = '', PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: alias }));
  const unsigned = {
    date,
    root,
    previous: before ? { date: before.date, sha256: sha256(lineOf(before)) } : null,
    pages: lines.length,
    until: new Date(Math.min(now - APPEARS_WITHIN, (found.cutAt ?? Infinity) - 1)).toISOString(),
    algorithm: 'ECDSA_SHA_256' as const,
    keyId: KeyId,
    publicKey: Buffer.from(PublicKey ?? []).toString('base64'),
  };
  // Of at most 4,096 bytes.
  const message = { Message: Buffer.from(signedText(unsigned)), MessageType: 'RAW' } as const;
  const signed = await kms.send(new SignCommand({ KeyId, SigningAlgorithm: unsigned.algorithm, ...message }));
  const proof = { ...unsigned, signature: Buffer.from(signed.Signature ?? []).toString('base64') };
  if (!isSigned(proof)) throw new ProofError(`the signature does not fit the public key of ${KeyId}`);
  const isMade = await proofs.create(proofKey(date), lineOf(proof));
  return answerOf(isMade ? proof : await proofs.proof(date), !isMade);
}

export type ProveAnswer = ReturnType<typeof answerOf>;

function answerOf({ date, pages, root }: Proof, unchanged: boolean) {
  return { date, pages, root, unchanged, proofKey: proofKey(date) };
}
