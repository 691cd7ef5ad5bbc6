import { ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { unlessSpoilt } from '#page/page-store.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { parseObject, readText } from '#runtime/s3-objects.ts';
import { SOURCES, idOf } from './facts.ts';
import type { Fact, Source } from './facts.ts';

/** What an object of the data bucket says that was not said before. */
export class News extends BucketStore {
  /**
   * Each version has its own news, so that none is lost when a later one is there already. `undefined` for one that is gone.
   * @param version of the object; left out: the present one, and all that it says is news
   * @throws {StoredObjectError} when it is not what Daybook writes there
   */
  async of(key: string, version: string | undefined): Promise<Fact[] | undefined> {
    const source = SOURCES.find(({ start }) => key.startsWith(start));
    if (source === undefined) return [];
    const facts = await this.#facts(source, key, version);
    if (facts === undefined) return undefined;
    if (source.isSealed || version === undefined || facts.length === 0) return this.#withFigures(facts);
    const before = await unlessSpoilt(() => this.#factsBefore(source, key, version));
    const known = new Set(before?.map(idOf));
    return this.#withFigures(facts.filter((fact) => !known.has(idOf(fact))));
  }

  async #facts({ isSealed, factsOf }: Source, key: string, version?: string): Promise<Fact[] | undefined> {
    const found = await readText(this.s3, this.bucket, key, undefined, isSealed ? undefined : version);
    return found && factsOf(key, (schema) => parseObject(key, found.text, schema));
  }

  /** Of the version before. None where there is none, or it was a deletion. */
  async #factsBefore(source: Source, key: string, version: string): Promise<Fact[] | undefined> {
    const input = { Bucket: this.bucket, Prefix: key, KeyMarker: key, VersionIdMarker: version, MaxKeys: 1 };
    const { Versions: [before] = [] } = await this.s3.send(new ListObjectVersionsCommand(input));
    return before?.Key === key ? this.#facts(source, key, before.VersionId) : undefined;
  }

  /** A mail tells the figures of its page. Without the page there is nothing to tell. */
  async #withFigures(facts: readonly Fact[]): Promise<Fact[]> {
    const whole = facts.map(async (fact) => {
      if (fact.type !== 'ReportMailed') return [fact];
      const ofPage = (await this.of(fact.key, undefined)) ?? [];
      const sealed = ofPage.filter(({ type }) => type === 'ReportSealed');
      return sealed.map(({ says }) => ({ ...fact, says: { ...says, ...fact.says } }));
    });
    return (await Promise.all(whole)).flat();
  }
}
