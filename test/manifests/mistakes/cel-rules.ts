import { Field } from '../../../src/resource/decorators/field.js';
import { Immutable } from '../../../src/resource/decorators/rules/immutable.js';
import { XValidation } from '../../../src/resource/decorators/rules/x-validation.js';
import { kindWithSpec } from '../../resource/mistakes/classes.js';

class Item {
  @Field({ maxLength: 9 }) @Immutable() name!: string;
}

@XValidation({ rule: 'self.sise > 0' })
class Expressions {
  @Field({ format: 'int32' }) size!: number;
  @Field() @XValidation({ rule: 'self ==' }) syntax!: string;
  @Field() @XValidation({ rule: 'self > 1' }) type!: string;
  @Field() @XValidation({ rule: 'size(self)' }) noBool!: string;
  @Field() @XValidation({ rule: "isIp(self) && self != ''" }) unheard!: string;
  @Field() @XValidation({ rule: "self.matches('(?=a)')" }) pattern!: string;
  @Field() @XValidation({ rule: 'true', messageExpression: '1' }) messageType!: string;
}

/** The server compiles no rule of this class while the text of one is invalid; the invalid rule is reported all the same. */
class Texts {
  @Field() @XValidation({ rule: 'true', message: 'two\nlines' }) lines!: string;
  @Field() @XValidation({ rule: 'self.sise > 0' }) hidden!: string;
  @Field() @XValidation({ rule: 'true', message: ' ' }) blank!: string;
  @Field() @XValidation({ rule: 'true', reason: 'Because' }) reason!: string;
  @Field() @XValidation({ rule: 'true', fieldPath: '.nowhere' }) path!: string;
  @Field() @XValidation({ rule: ' ' }) empty!: string;
  @Field() @XValidation({ rule: 'true', optionalOldSelf: true }) noOldSelf!: string;
}

class OldValues {
  @Field({ items: Item, maxItems: 5 }) uncorrelatable!: Item[];
  @Field({ items: Item, maxItems: 5, listType: 'map', listMapKeys: ['name'] }) sound!: Item[];
}

/** Without bounds a rule is taken to run on the longest string in each of the most items that fit into a request. */
class Costs {
  @Field({ items: { items: { type: String, validations: [{ rule: "self.contains('a')" }] } } }) items!: string[][];
  @Field({ items: { type: String, maxLength: 9, validations: [{ rule: "self.contains('a')" }] }, maxItems: 9 })
  sound!: string[];
}

class Total {
  @Field({ items: { type: String, maxLength: 9000 }, maxItems: 2700 })
  @XValidation({ rule: "self.all(x, x.contains('a'))" })
  @XValidation({ rule: "self.all(x, x.contains('b'))" })
  @XValidation({ rule: "self.all(x, x.contains('c'))" })
  @XValidation({ rule: "self.all(x, x.contains('d'))" })
  @XValidation({ rule: "self.all(x, x.contains('e'))" })
  @XValidation({ rule: "self.all(x, x.contains('f'))" })
  @XValidation({ rule: "self.all(x, x.contains('g'))" })
  @XValidation({ rule: "self.all(x, x.contains('h'))" })
  @XValidation({ rule: "self.all(x, x.contains('i'))" })
  @XValidation({ rule: "self.all(x, x.contains('j'))" })
  @XValidation({ rule: "self.all(x, x.contains('k'))" })
  items!: string[];
}

export const classes = [Texts, Expressions, OldValues, Costs, Total].map(kindWithSpec);
