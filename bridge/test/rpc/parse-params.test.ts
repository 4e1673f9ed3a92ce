import { ContractError, limits, type MethodName, methods } from "@xworkmate/contracts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { normalizeError } from "../../src/rpc/index.ts";
import { parseParams } from "../../src/rpc/parse-params.ts";

const submit = { sessionId: "s", threadId: "t", turnId: "u", prompt: "hello", routing: { executionTarget: "agent" } };

function refusal(method: MethodName, params: unknown): [string, string | undefined] {
	try {
		parseParams(method, params);
	} catch (error) {
		if (error instanceof ContractError) return [error.code, error.detail];
		throw error;
	}
	return ["accepted", undefined];
}

it("[T4-72] takes the fields of a submit, and fills in the defaults of the artifact contract", () => {
	const xworkmateTaskArtifactContract = {
		schemaVersion: 1,
		scopeKind: "task",
		rejectTextOnlyClaims: true,
		currentTaskWorkspace: "$XWORKMATE_ARTIFACT_DIRECTORY",
	};
	const parsed = parseParams("session.start", { ...submit, metadata: { xworkmateTaskArtifactContract } });
	expect(parsed).toMatchObject({ ...submit, metadata: { xworkmateTaskArtifactContract: { requiresExport: false, required: [] } } });
});

it.each([
	[{ routing: undefined }, "ROUTING_REQUIRED"],
	[{ routing: null }, "ROUTING_REQUIRED"],
	[{ routing: {} }, "ROUTING_REQUIRED"],
	[{ routing: { providerId: "goose" } }, "ROUTING_REQUIRED"],
	[{ routing: { executionTarget: "moon" } }, "INVALID_PARAMS"],
	[{ routing: "agent" }, "INVALID_PARAMS"],
	[{ routing: { executionTarget: "agent", url: "http://x" } }, "INVALID_PARAMS"],
])("[T4-71] needs routing: %j", (change, code) => {
	expect(refusal("session.start", { ...submit, ...change })[0]).toBe(code);
	expect(refusal("xworkmate.routing.resolve", change)[0]).toBe(code);
});

it.each([
	[{ prompt: " \n" }, "prompt: must not be empty"],
	[{ threadId: "a\u0007" }, "threadId: must not contain control characters or lone surrogates"],
	[{ sessionKey: "x" }, 'Unknown parameter "sessionKey"'],
	[{ metadata: { other: 1 } }, 'metadata: unknown parameter "other"'],
	[{ attachments: [{ name: "../x" }] }, /^attachments\[0\]\.name: must be a plain file name/],
])("names what is wrong in %j", (change, detail) => {
	expect(refusal("session.start", { ...submit, ...change })).toEqual(["INVALID_PARAMS", expect.stringMatching(detail)]);
});

it("says of a task reference what is missing from the form that fits best", () => {
	expect(refusal("xworkmate.tasks.get", { threadId: "t" })).toEqual(["INVALID_PARAMS", expect.stringMatching(/^turnId: /)]);
	expect(refusal("xworkmate.tasks.get", { runId: "r", status: "running" })).toEqual(["INVALID_PARAMS", 'Unknown parameter "status".']);
});

it("tells an attachment that is too large from one that is wrong", () => {
	const file = { name: "a", mediaType: "a/b", sizeBytes: 1, sha256: "0".repeat(64), base64: "AA==" };
	const attach = (change: object) => refusal("session.start", { ...submit, attachments: [{ ...file, ...change }] })[0];
	expect(attach({ sizeBytes: limits.attachmentBytes + 1 })).toBe("PAYLOAD_TOO_LARGE");
	expect(attach({ sizeBytes: -1 })).toBe("INVALID_PARAMS");
	expect(attach({ base64: "!" })).toBe("INVALID_PARAMS");
	expect(attach({ name: "a".repeat(256) })).toBe("INVALID_PARAMS");
	expect(attach({ mediaType: `a/${"b".repeat(200)}` })).toBe("INVALID_PARAMS");
});

it("bounds its words, whatever a key is called", () => {
	const [, detail = ""] = refusal("acp.capabilities", { ["\u001b[2J".repeat(1000)]: 1 });
	expect(detail.length).toBeLessThanOrEqual(300);
	expect(detail).not.toContain("\u001b");
});

it("accepts or refuses any value with a ContractError", () => {
	const method = fc.constantFrom(...Object.keys(methods).filter((name): name is MethodName => name in methods));
	fc.assert(
		fc.property(method, fc.jsonValue({ maxDepth: 4 }), (name, params) => {
			expect(["accepted", "INVALID_PARAMS", "ROUTING_REQUIRED", "PAYLOAD_TOO_LARGE"]).toContain(refusal(name, params)[0]);
		}),
	);
});

it("makes anything thrown an error of the contract, and keeps its words", () => {
	const refused = new ContractError("THREAD_BUSY");
	expect(normalizeError(refused)).toBe(refused);
	for (const thrown of [new Error("secret"), "secret", undefined, { message: "secret" }]) {
		const { code, data, message } = normalizeError(thrown).toWire();
		expect([code, data.code, data.retryable]).toEqual([-32603, "INTERNAL", true]);
		expect(message).not.toContain("secret");
	}
});
