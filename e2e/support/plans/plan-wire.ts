import { z } from "zod";

/** What a test reads of an action; the rest stays as it came. */
const Action = z.looseObject({
	actionId: z.string(),
	channel: z.string(),
	status: z.string(),
	code: z.string().optional(),
	message: z.string().optional(),
	attempts: z.number(),
	notBefore: z.string().optional(),
	payloadHash: z.string().optional(),
	providerMessageId: z.string().optional(),
	content: z.string().optional(),
});

export const Occurrence = z.looseObject({
	occurrenceId: z.string(),
	planId: z.string(),
	kind: z.string(),
	dueAt: z.string(),
	status: z.string(),
	code: z.string().optional(),
	revision: z.number(),
	runs: z.array(z.looseObject({ runId: z.string().optional(), turnId: z.string(), threadId: z.string(), status: z.string().optional() })),
	work: z.array(z.object({ description: z.string(), status: z.string() })),
	delivery: z.array(Action),
	gate: z.looseObject({ valid: z.boolean(), reason: z.string().optional() }).optional(),
	deliverable: z.object({ text: z.string(), sha256: z.string(), source: z.string() }).optional(),
	missed: z.object({ count: z.number(), first: z.string(), last: z.string() }).optional(),
	resends: z.string().optional(),
	endedAt: z.string().optional(),
});
export type Occurrence = z.infer<typeof Occurrence>;

export const Plan = z.looseObject({
	planId: z.string(),
	threadId: z.string(),
	title: z.string(),
	status: z.string(),
	revision: z.number(),
	lastSeq: z.number(),
	needsReview: z.number(),
	nextDueAt: z.string().optional(),
	work: z.array(z.object({ description: z.string(), status: z.string() })),
	delivery: z.array(Action),
	occurrence: Occurrence.optional(),
});
export type Plan = z.infer<typeof Plan>;

export const PlanUpdate = z.looseObject({
	planId: z.string(),
	occurrenceId: z.string().optional(),
	seq: z.number(),
	feedSeq: z.number(),
	status: z.string(),
	update: z.looseObject({ kind: z.string() }),
});
export type PlanUpdate = z.infer<typeof PlanUpdate>;

export const Inbox = z.looseObject({
	items: z.array(
		z.looseObject({ messageId: z.string(), title: z.string(), text: z.string(), planId: z.string(), occurrenceId: z.string() }),
	),
	nextCursor: z.string().optional(),
});

export const Applied = z.object({ occurrence: Occurrence, applied: z.boolean() });
export const Preview = z.looseObject({
	payloadHash: z.string(),
	parts: z.array(z.looseObject({ text: z.string().optional() })),
	lint: z.array(z.unknown()),
});
