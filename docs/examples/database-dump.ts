import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { type Context, CustomResource, Field, Kind, Pod, Rbac } from 'kindwright';

class DatabaseDumpSpec {
  /** Pod of the database. */
  @Field() pod!: string;
  @Field() database!: string;
}

class DatabaseDumpStatus {
  @Field() file?: string;
  /** The last lines that the database has logged. */
  @Field() log?: string;
}

/** Takes a dump of a database by a command in its pod, and streams it to a file. */
@Kind({ group: 'example.com', version: 'v1' })
@Rbac(Pod, 'get', 'create', { subresource: 'exec' })
@Rbac(Pod, 'get', { subresource: 'log' })
export class DatabaseDump extends CustomResource {
  /** Where the dumps are stored. */
  static folder = '/var/dumps';
  static command = 'pg_dump';

  @Field() spec!: DatabaseDumpSpec;
  @Field() status!: DatabaseDumpStatus;

  async reconcile(ctx: Context): Promise<void> {
    if (this.status.file !== undefined) return;
    const { pod, database } = this.spec;
    const file = join(DatabaseDump.folder, `${this.metadata.name}.sql`);
    await ctx.exec(pod, [DatabaseDump.command, database], { stdout: createWriteStream(file) });
    const log = await ctx.logs(pod, { tailLines: 10 });
    this.status.log = (await log.toArray()).join('');
    this.status.file = file;
  }
}
