import { openArtifactContract, SubmitParams } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { inputHash } from "../../../src/runs/domain/idempotency.ts";

const sha256 = (digit: string) => digit.repeat(64);
const attachment = { name: "a.txt", mediaType: "text/plain", sizeBytes: 1, sha256: sha256("a"), base64: "YQ==" };
const contract = { ...openArtifactContract, required: [{ glob: "*.pdf", minCount: 1 }] };
const turn = SubmitParams.parse({
	sessionId: "session",
	threadId: "thread",
	turnId: "turn",
	prompt: "do it",
	workspaceContext: "context",
	routing: { executionTarget: "agent", providerId: "script", model: "m" },
	attachments: [attachment],
	metadata: { xworkmateTaskArtifactContract: contract },
});
const changed = (change: object) => SubmitParams.parse({ ...turn, ...change });
const asking = (change: object) => ({ metadata: { xworkmateTaskArtifactContract: { ...contract, ...change } } });

describe("the same turn", () => {
	it.each([
		["another prompt", { prompt: "do it " }],
		["another context", { workspaceContext: "other" }],
		["no context", { workspaceContext: undefined }],
		["another target", { routing: { ...turn.routing, executionTarget: "gateway" } }],
		["another provider", { routing: { ...turn.routing, providerId: "goose" } }],
		["another model", { routing: { ...turn.routing, model: "n" } }],
		["other bytes attached", { attachments: [{ ...attachment, sha256: sha256("b") }] }],
		["another name attached", { attachments: [{ ...attachment, name: "b.txt" }] }],
		["nothing attached", { attachments: [] }],
		["another file required", asking({ required: [{ glob: "*.docx", minCount: 1 }] })],
		["more files required", asking({ required: [{ glob: "*.pdf", minCount: 2 }] })],
		["an export required", asking({ requiresExport: true })],
		["another folder looked into", asking({ expectedArtifactDirs: ["out"] })],
	])("is another input with %s", (_what, change) => {
		expect(inputHash(changed(change))).not.toBe(inputHash(turn));
	});

	it("is the same input whatever session it is sent in, and however what is absent is written", () => {
		expect(inputHash(changed({ sessionId: "other" }))).toBe(inputHash(turn));
		const { attachments: _attachments, metadata: _metadata, ...plain } = turn;
		const written = { ...plain, attachments: [], metadata: { xworkmateTaskArtifactContract: openArtifactContract } };
		expect(inputHash(SubmitParams.parse(written))).toBe(inputHash(SubmitParams.parse(plain)));
	});
});

it("no part of an input can pose as another", () => {
	const inputs = [
		changed({ prompt: "a", workspaceContext: "b" }),
		changed({ prompt: "ab", workspaceContext: undefined }),
		changed({ prompt: 'a","b', workspaceContext: undefined }),
	];
	expect(new Set(inputs.map(inputHash)).size).toBe(inputs.length);
});
