import { z } from "zod";

/** Where an exchange can go wrong. `data`: after some bytes of the message. `dot`: when all of it is there, before the answer. */
const MailStage = z.enum(["greeting", "auth", "mail", "rcpt", "data", "dot", "stored"]);
export type MailStage = z.infer<typeof MailStage>;

/** How the next exchanges go wrong. `stored`: as `dot`, but the mail was accepted before it. */
export const MailFault = z.strictObject({
	stage: MailStage,
	kind: z.enum(["answer", "cut", "hang"]),
	/** Of `answer`. */
	code: z.int().default(451),
	text: z.string().default("not now"),
	/** Of `answer` at `rcpt`: the server asks for the message all the same, as RFC 2920 lets it, and says nothing of an empty one. */
	asks: z.boolean().default(false),
	times: z.int().min(1).default(1),
	/** Of `data`. */
	bytes: z.int().min(1).default(1),
});
export type MailFault = z.infer<typeof MailFault>;
