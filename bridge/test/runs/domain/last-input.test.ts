import { Redaction } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { RunCommand } from "../../../src/runs/domain/decide.ts";
import { PlayedRun, runId } from "./played-run.ts";

const reporter = { runId, providerId: "goose", redaction: new Redaction([]) };

const says = (state: "running" | "completed", command: string): RunCommand => ({
	type: "say",
	update: {
		...{ kind: "tool_call", toolCallId: "c1", title: "Terminal", toolKind: "execute", state },
		input: { text: JSON.stringify({ command }), truncated: false },
	},
	reporter,
});

it("the receipt that ends a call has the input that the agent gave last", () => {
	const run = new PlayedRun();
	run.do(says("running", "npm run lint"));
	run.do(says("completed", "npm test"));
	const inputs = run.receipts.map(({ type, input }) => [type, input?.text]);
	expect(inputs).toContainEqual(["tool.call.succeeded", '{"command":"npm test"}']);
});
