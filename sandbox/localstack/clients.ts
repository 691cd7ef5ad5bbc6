/** The options of a client of the AWS SDK that asks LocalStack. */
export function optionsOf(url: string) {
  return {
    endpoint: url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    // Otherwise the client of Step Functions puts "sync-" or "states." before the name of the host.
    disableHostPrefix: true,
  };
}
