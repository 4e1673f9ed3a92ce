import { z } from "zod";
import type { Frame } from "../../processes/frames/frame.ts";
import { MAX_TEXTS, type ProgramMessage } from "./program-messages.ts";

const Message = z.discriminatedUnion("kind", [
	z.strictObject({ kind: z.literal("print"), level: z.enum(["log", "info", "warn", "error", "debug"]) }),
	z.strictObject({
		kind: z.literal("call"),
		call: z.int().positive(),
		tool: z.string().max(200),
		hasInput: z.boolean(),
		keys: z.array(z.string()).max(MAX_TEXTS),
	}),
	z.strictObject({ kind: z.literal("returned") }),
	z.strictObject({ kind: z.enum(["threw", "unreadable"]) }),
	z.strictObject({ kind: z.literal("limit"), limit: z.enum(["memoryBytes", "callBytes", "callMembers"]) }),
	z.strictObject({ kind: z.literal("waiting"), taken: z.int().min(0) }),
	z.strictObject({ kind: z.enum(["began", "ready"]) }),
]) satisfies z.ZodType<ProgramMessage>;

/** @throws ZodError for a message that our code cannot have sent */
export function parseProgramMessage(frame: Frame): ProgramMessage {
	return Message.parse(frame.head);
}
