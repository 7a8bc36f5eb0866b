import { OperatorError } from 'kindwright';

/** The HTTP API of the object store. */
export class Store {
  constructor(private readonly url: string) {}

  async putBucket(name: string, settings: { region: string; quota: string }, signal: AbortSignal): Promise<void> {
    await this.send('PUT', `/buckets/${name}`, signal, settings);
  }

  async deleteBucket(name: string, signal: AbortSignal): Promise<void> {
    await this.send('DELETE', `/buckets/${name}`, signal);
  }

  /** Returns the secret of the key. */
  async putKey(name: string, grant: { bucket: string; role: string }, signal: AbortSignal): Promise<string> {
    return await this.send('PUT', `/keys/${name}`, signal, grant);
  }

  async deleteKey(name: string, signal: AbortSignal): Promise<void> {
    await this.send('DELETE', `/keys/${name}`, signal);
  }

  async ping(signal: AbortSignal): Promise<void> {
    await this.send('GET', '/', signal);
  }

  private async send(method: string, path: string, signal: AbortSignal, body?: object): Promise<string> {
    const response = await fetch(this.url + path, { method, signal, ...(body && { body: JSON.stringify(body) }) });
    if (response.ok) return await response.text();
    throw new OperatorError(`the store responded to ${method} ${path} with ${response.status}`, { code: 'E_STORE' });
  }
}
