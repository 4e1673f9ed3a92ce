import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { settle } from "../support/bridge/settle.ts";
import { gatewayTurn, useGatewayBridge } from "../support/openclaw/openclaw-suite.ts";
import { sha256Of } from "../support/wire/served-artifacts.ts";
import type { TaskSnapshot } from "../support/wire/wire.ts";

const client = useGatewayBridge();

/** The bytes that the tools of fakes/openclaw-media make. */
const picture = (name: string) =>
	Buffer.concat([
		Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64"),
		Buffer.from(name),
	]);

const call = (tool: string, input: object) => `TOOL ${tool} ${JSON.stringify(input)}`;
const hashes = ({ artifacts }: TaskSnapshot) => artifacts.items.map(({ sha256 }) => sha256).sort();

it("[T4-26] [T4-90] brings media and temp files of a tool into this run's scope, and none into another's at the same time", async () => {
	const names = [randomUUID(), randomUUID()];
	const runs = await Promise.all(
		names.map((name) =>
			settle(
				client,
				gatewayTurn(
					`FAKE:${call("fake_media", { name: `${name}.png` })} ;; RUN sleep 0.5 ;; ${call("fake_temporary", { name: `${name}.txt` })} ;; SAY made`,
				),
			),
		),
	);
	for (const [index, name] of names.entries()) {
		const { snapshot } = runs[index] ?? {};
		expect(snapshot).toMatchObject({ status: "completed" });
		if (snapshot === undefined) continue;
		expect(hashes(snapshot), JSON.stringify(snapshot.rejectedArtifacts)).toEqual(
			[sha256Of(picture(`${name}.png`)), sha256Of(`made for ${name}.txt`)].sort(),
		);
	}
});

it("[T4-26] waits for a picture that the run's tool makes in the background", async () => {
	const words = randomUUID();
	const beside = settle(client, gatewayTurn("FAKE:RUN sleep 2 ;; SAY nothing made"));
	const { snapshot } = await settle(client, gatewayTurn(`FAKE:${call("image_generate", { prompt: words })} ;; SAY it is on its way`));
	expect(snapshot).toMatchObject({ status: "completed", output: { text: "it is on its way" } });
	expect(hashes(snapshot), JSON.stringify(snapshot.rejectedArtifacts)).toEqual([sha256Of(picture(words))]);
	expect((await beside).snapshot).toMatchObject({ status: "completed", artifacts: { count: 0 } });
});
