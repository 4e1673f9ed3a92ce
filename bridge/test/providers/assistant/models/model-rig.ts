import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { type ModelCredential, ModelFailure, type ModelRequest } from "../../../../src/ports/models/model-client.ts";
import { FakeModel } from "../../acp/support/fake-model.ts";

export const secret = "sk-test-4d7e1c0b9a8f6e5d4c3b2a19";
export const key: ModelCredential = { type: "api_key", secret };

const tools = [
	{
		name: "execute",
		description: "Runs a program.",
		input: { type: "object", properties: { program: { type: "string" } }, required: ["program"] },
	},
];

/** The fake model as a process, one for all tests of a file. */
export function useFakeModel(): () => FakeModel {
	let folder: string;
	let fake: FakeModel;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "model clients-"));
		fake = await FakeModel.start(join(folder, "requests.jsonl"));
	});
	afterEach(() => fake.tell({ secret }));
	afterAll(async () => {
		await fake[Symbol.asyncDispose]();
		await rm(folder, { recursive: true, force: true });
	});
	return () => fake;
}

export function asking(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
	return { model: "fake-model", instructions: "Be brief.", messages: [{ role: "user", text }], tools, maxOutputTokens: 1_000, ...more };
}

/** The failure with which it ends. */
export async function failure(act: Promise<unknown>): Promise<ModelFailure> {
	const error: unknown = await act.then(
		() => new Error("it did not fail"),
		(reason: unknown) => reason,
	);
	if (!(error instanceof ModelFailure)) throw error;
	return error;
}

export const never = (): AbortSignal => new AbortController().signal;
