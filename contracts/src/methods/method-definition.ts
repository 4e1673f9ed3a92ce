import { z } from "zod";
import { limits } from "../runs/limits.ts";

export interface MethodDefinition {
	readonly params: z.ZodType;
	readonly result: z.ZodType;
	/** True: the method answers with an event stream if the client accepts one. */
	readonly streams: boolean;
	/** True: the method has effects, so it is refused when sent as a notification. */
	readonly effects: boolean;
	readonly summary: string;
}

/** The part of a list to return: at most `limit` items, from `cursor` on. */
export const page = {
	limit: z.int().min(1).max(limits.listMax).default(limits.listDefault),
	cursor: z.string().min(1).max(500).optional(),
};
