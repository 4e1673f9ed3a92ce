import { omitUndefined } from "@xworkmate/contracts";
import { z } from "zod";
import { firstBytes } from "../../preview.ts";
import { GatewayRefusal } from "./gateway-error.ts";

const ERROR_BYTES = 1_024;

/** A malformed field is ignored; the rest of the frame is used. */
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const FrameError = z.object({
	code: z.string(),
	message: z.string(),
	retryable: lenient(z.boolean()),
	retryAfterMs: lenient(z.number().min(0)),
	details: lenient(
		z.looseObject({
			code: lenient(z.string()),
			reason: lenient(z.string()),
			requestId: lenient(z.string()),
			missingScope: lenient(z.string()),
		}),
	),
});

const Frame = z.union([
	z.object({ type: z.literal("res"), id: z.string(), ok: z.literal(true), payload: z.unknown().optional() }),
	z.object({ type: z.literal("res"), id: z.string(), ok: z.literal(false), error: FrameError }),
	z.object({ type: z.literal("event"), event: z.string(), payload: z.unknown().optional() }),
]);

export type GatewayFrame =
	| { readonly kind: "answer"; readonly id: string; readonly payload: unknown }
	| { readonly kind: "refusal"; readonly id: string; readonly error: GatewayRefusal }
	| { readonly kind: "event"; readonly event: string; readonly payload: unknown }
	| { readonly kind: "unreadable" };

/** Reads one text frame (OpenClaw gateway protocol 4, transport). Pure; never throws. */
export function decodeFrame(text: string): GatewayFrame {
	const parsed = Frame.safeParse(parseJson(text));
	if (!parsed.success) return { kind: "unreadable" };
	const frame = parsed.data;
	if (frame.type === "event") return { kind: "event", event: frame.event, payload: frame.payload };
	if (frame.ok) return { kind: "answer", id: frame.id, payload: frame.payload };
	return { kind: "refusal", id: frame.id, error: refusal(frame.error) };
}

function refusal({ code, message, retryable, retryAfterMs, details }: z.infer<typeof FrameError>): GatewayRefusal {
	return new GatewayRefusal(firstBytes(message, ERROR_BYTES), {
		code,
		retryable: retryable ?? false,
		...omitUndefined({
			detailCode: details?.code,
			reason: details?.reason,
			retryAfterMs,
			pairingRequestId: details?.requestId,
			missingScope: details?.missingScope,
		}),
	});
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// The schema rejects undefined, so the frame counts as unreadable.
		return undefined;
	}
}

export const Challenge = z.object({ nonce: z.string().min(1).max(1_000), ts: z.int().min(0) });

/** The part of `hello-ok` that is used. */
export const Hello = z.object({
	protocol: z.literal(4),
	server: z.object({ version: z.string(), bootId: z.string().min(1), connId: z.string() }),
	features: z.object({ methods: z.array(z.string()) }),
	auth: lenient(z.object({ scopes: z.array(z.string()) })),
	policy: z.object({
		maxPayload: z.int().min(1),
		tickIntervalMs: z.int().min(1),
		attachments: lenient(z.object({ maxBytes: z.int().min(1), maxImageBytes: z.int().min(1) })),
	}),
});
export type Hello = z.infer<typeof Hello>;
