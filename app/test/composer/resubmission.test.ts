import { SubmitParams } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { CoreScene, routing } from "../support/core-scene.ts";
import { until } from "../support/until.ts";

it("sends what the bridge's own schema takes, and the same to the byte when it is sent again", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.fault = () => ({ kind: "destroy" });
	const attachments = [{ name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") }];
	const sent = await scene.api.send({ prompt: "do it", routing, workingDirectory: "/srv/project", require: ["*.pdf"], attachments });
	const submits = () => scene.bridge.calls.filter(({ method }) => method === "session.start").map(({ params }) => params);
	await until("it was sent", () => submits().length > 0);
	await scene.restart(() => {
		scene.bridge.fault = () => undefined;
	});
	await scene.end(sent);
	expect(SubmitParams.parse(submits()[0])).toEqual(submits()[0]);
	expect(JSON.stringify(submits().at(-1))).toBe(JSON.stringify(submits()[0]));
});
