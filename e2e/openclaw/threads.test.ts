import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allowingAll, approvals, decide, question } from "../support/app/approvals.ts";
import { settle } from "../support/bridge/settle.ts";
import { gatewaySettings, gatewayTurn, useGatewayBridge, useOnboardedGateway } from "../support/openclaw/openclaw-suite.ts";

const scope = "$XWORKMATE_ARTIFACT_DIRECTORY";
const gateway = useOnboardedGateway();
const client = useGatewayBridge({ ...gatewaySettings(gateway), XWORKMATE_ALLOW_PROVIDERS: "" });

it("asks nobody to look a tool up, and once for a tool that is called through the catalogue, by its own name", async () => {
	await using _allowing = allowingAll(client);
	const steps = ['TOOL tool_search {"query":"sessions"}', 'TOOL tool_call {"id":"sessions_list","args":{}}', "SAY done"];
	const { snapshot } = await settle(client, gatewayTurn(`FAKE:${steps.join(" ;; ")}`));
	expect(snapshot).toMatchObject({ status: "completed" });
	const asked = await approvals(client, { runId: snapshot.runId });
	expect(asked.map(({ title, state }) => [title, state])).toEqual([["sessions_list", "decided"]]);
});

it("keeps what another thread delivered: no write reaches it unblocked, no read unasked", async () => {
	const first = await settle(client, gatewayTurn(`FAKE:WRITE ${scope}/a.txt the first ;; SAY done`));
	const delivered = `${first.snapshot.artifactScope}/a.txt`;
	const place = join(gateway.workspace, delivered);
	expect(await readFile(place, "utf8")).toBe("the first");
	const second = await settle(client, gatewayTurn(`FAKE:WRITE ${delivered} overwritten ;; READ ${place} ;; SAY done`), {
		during: async (stream) => {
			const asked = await question(stream);
			expect(asked).toMatchObject({ title: `read ${place}`, toolKind: "read" });
			await decide(client, asked.approvalId, "deny");
		},
	});
	expect(await readFile(place, "utf8")).toBe("the first");
	expect(second.snapshot).toMatchObject({ status: "completed", artifacts: { count: 0 } });
	expect(JSON.stringify(second.updates)).not.toContain("the first");
	expect(await approvals(client, { runId: second.snapshot.runId })).toHaveLength(1);
});
