import { ContractError, type Occurrence } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { runAgainst } from "../../support/command-scene.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";

const sha256 = "a".repeat(64);
const file = (name: string, bytes: number) => ({ kind: "file", mediaType: "text/plain", name, bytes, sha256 }) as const;
const text = { kind: "text", mediaType: "text/plain", text: "Here it is.", bytes: 11, sha256 } as const;
const runs = [{ runId: "r1", threadId: "thread-of-beaches", turnId: "t1", status: "completed" }] as Occurrence["runs"];
const deliverable = { text: "Here it is.", sha256, source: "model" } as Occurrence["deliverable"];
const sent = occurrence({ runs, deliverable, delivery: [action({ attach: true, payloadHash: sha256 as never })] });

/** What `plans show` prints about a plan and about its due time. */
async function shown(one: Occurrence, previewMessage: () => Promise<unknown>): Promise<readonly (readonly string[])[]> {
	const api: Partial<AppApi> = {
		plan: async () => plan({ occurrence: one }),
		planOccurrences: async () => ({ items: [one] }),
		channels: async () => ({ channels: [] }),
		previewMessage: previewMessage as AppApi["previewMessage"],
	};
	const runs = [await runAgainst(api, ["plans", "show", "beaches"]), await runAgainst(api, ["plans", "show", "beaches-1"])];
	for (const { code, error } of runs) expect([code ?? 0, error]).toEqual([0, undefined]);
	return runs.map(({ lines }) => lines.join("\n").split("\n"));
}

it("`plans show` names the files that went with a message, with their sizes", async () => {
	const parts = [text, file("report.pdf", 2_100_000), file("a\u202eb.csv", 3_000)];
	for (const lines of await shown(sent, async () => ({ payloadHash: sha256, lint: [], parts })))
		expect(lines.filter((line) => line.includes("Files:")).map((line) => line.trim())).toEqual([
			"Files: report.pdf (2.1 MB), a\\u{202e}b.csv (3 kB)",
		]);
});

it("names the first files of very many, and says how many more there are", async () => {
	const parts = [text, ...Array.from({ length: 23 }, (_, index) => file(`${index}.txt`, 5))];
	const [lines = []] = await shown(sent, async () => ({ payloadHash: sha256, lint: [], parts }));
	expect(lines.find((line) => line.includes("Files:"))).toMatch(/0\.txt \(5 B\), .*19\.txt \(5 B\) and 3 more$/);
});

it("says of files that are gone that they are, and asks about no message without any", async () => {
	const gone = () => Promise.reject(new ContractError("RUN_EXPIRED"));
	for (const lines of await shown(sent, gone)) expect(lines.map((line) => line.trim())).toContain("Its files are no longer available.");
	const asked: string[] = [];
	const ask = async () => {
		asked.push("asked");
		return { payloadHash: sha256, lint: [], parts: [text] };
	};
	await shown(occurrence({ runs, deliverable }), ask);
	await shown(occurrence({ runs: [], delivery: [action({ attach: true, status: "pending" })] }), ask);
	expect(asked).toEqual([]);
	for (const lines of await shown(sent, ask)) expect(lines.join("\n")).not.toContain("iles");
});
