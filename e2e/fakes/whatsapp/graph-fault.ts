import { z } from "zod";

/**
 * How the next requests go wrong, and where. `connect`: when the connection stands. `body`: after the first bytes of the request's body. `read`:
 * when all of it is there. `stored`: after the message was accepted, before the answer. `answer`: in the middle of the answer.
 */
export const GraphFault = z.strictObject({
	on: z.enum(["messages", "media", "number"]).default("messages"),
	stage: z.enum(["connect", "body", "read", "stored", "answer"]).default("read"),
	kind: z.enum(["error", "reply", "cut", "hang", "huge"]),
	/** Of `error`: what the Graph API says with this number. */
	code: z.int().default(131000),
	subcode: z.int().optional(),
	details: z.string().optional(),
	/** Of `error` and `reply`. */
	status: z.int().optional(),
	headers: z.record(z.string(), z.string()).default({}),
	/** Of `reply`. */
	body: z.string().default(""),
	times: z.int().min(1).default(1),
});
export type GraphFault = z.infer<typeof GraphFault>;
