import { createRequire } from "node:module";
import { z } from "zod";
import { tellBench } from "./parent.ts";

/** What is used of Anthropic's SDK, which is the bridge's package and not the bench's. */
interface Library {
	readonly Anthropic: new (
		options: object,
	) => { readonly messages: { create(params: object): Promise<AsyncIterable<{ readonly type: string }>> } };
}

const ofBridge = createRequire(new URL("../../bridge/package.json", import.meta.url));
const { Anthropic } = ofBridge("@anthropic-ai/sdk") as Library;
const sdk = new Anthropic({ apiKey: "sk-bench-0000000000000000", baseURL: process.argv[2], maxRetries: 0, openTelemetry: false });
/** The fake model follows the prompt only if the request offers tools. */
const tool = { name: "answer", description: "Answers.", input_schema: { type: "object" } };
const Job = z.object({ prompt: z.string(), turns: z.number() });

/** Streams answers at once with the SDK alone, and answers with the milliseconds until the first text of the first. */
process.on("message", (job) => {
	const { prompt, turns } = Job.parse(job);
	void Promise.all(Array.from({ length: turns }, () => stream(prompt))).then(([firstMs]) => process.send?.({ firstMs }));
});
tellBench({});

async function stream(prompt: string): Promise<number> {
	const from = performance.now();
	let firstMs = 0;
	const params = { model: "fake-model", max_tokens: 4_096, stream: true, messages: [{ role: "user", content: prompt }], tools: [tool] };
	for await (const { type } of await sdk.messages.create(params)) {
		if (type === "content_block_delta" && firstMs === 0) firstMs = performance.now() - from;
	}
	return firstMs;
}
