import { expect, it } from "vitest";
import { messageProblem } from "../../../src/providers/openclaw/turn/chat-message.ts";
import { hello } from "./gateway-double.ts";

it.each([99, 100, 101, 102])("an attachment of %d bytes is larger than 100 only if it is", (size) => {
	const attachment = { type: "file", mimeType: "text/plain", fileName: "a.txt", content: Buffer.alloc(size).toString("base64") } as const;
	const { payload } = hello() as { payload: Parameters<typeof messageProblem>[1] };
	const limited = { ...payload, policy: { ...payload.policy, maxPayload: 1_000_000, attachments: { maxBytes: 100, maxImageBytes: 100 } } };
	expect(messageProblem({ message: "x", attachments: [attachment] }, limited) === undefined).toBe(size <= 100);
});
