// Two controllers write fields of one child each.
import {
  byLabel,
  ConfigMap,
  Context,
  Controller,
  CustomResource,
  Field,
  Kind,
  ObjectController,
  Rbac,
  Sample,
  Watches,
} from 'kindwright';

class PageSpec {
  @Field({ maxLength: 50 }) title!: string;
  @Field({ maxLength: 50 }) footer!: string;
}

/** A page; its title and footer are written by two controllers. */
@Kind({ group: 'sound.example.com', version: 'v1' })
@Watches(ConfigMap, byLabel('page'))
@Rbac(ConfigMap, 'create', 'patch', 'delete')
@Sample({ name: 'home', spec: { title: 'Welcome', footer: 'Bye' } })
export class Page extends CustomResource {
  @Field() spec!: PageSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const metadata = { name, labels: { page: name } };
    await ctx.apply(ConfigMap, { metadata, data: { title: this.spec.title } });
  }
}

/** Adds the footer of a page to its ConfigMap. */
@Controller({ for: Page, name: 'footer' })
@Watches(ConfigMap, byLabel('page'))
@Rbac(ConfigMap, 'create', 'patch')
export class Footers extends ObjectController<Page> {
  async reconcile(ctx: Context): Promise<void> {
    const { name, namespace = '' } = this.object.metadata;
    const present = await ctx.get(ConfigMap, name);
    if (!present) return; // its creation continues
    const metadata = { name, namespace, uid: present.metadata.uid ?? '' };
    const data = { footer: this.object.spec.footer };
    await ctx.client.apply(ConfigMap, { metadata, data }, { fieldManager: 'footer', force: true });
  }
}
