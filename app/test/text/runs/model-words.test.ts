import { ProviderId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { modelWords } from "../../../src/text/runs/model-words.ts";

const provider = { target: "agent", providerId: ProviderId.parse("codex"), model: "gpt\u0007-9" } as const;
const shown = (name: string) => name.replaceAll("\u0007", "");
const request = { routing: { model: "gpt-9" } };

it("says of a model that it was chosen, until the agent has said or done something with it", () => {
	const failed = { provider, status: "failed" } as const;
	expect(modelWords({ snapshot: failed, request, hasWorked: false }, shown)).toBe("gpt-9 (chosen)");
	expect(modelWords({ request, hasWorked: false }, shown)).toBe("gpt-9 (chosen)");
	expect(modelWords({ request, hasWorked: true }, shown)).toBe("gpt-9");
	expect(modelWords({ snapshot: { ...failed, status: "completed" }, request, hasWorked: false }, shown)).toBe("gpt-9");
	const output = { text: "Half.", truncated: false, totalBytes: 5 };
	expect(modelWords({ snapshot: { ...failed, output }, request, hasWorked: false }, shown)).toBe("gpt-9");
	expect(modelWords({ request: { routing: {} }, hasWorked: true }, shown)).toBeUndefined();
});
