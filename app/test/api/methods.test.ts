import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appMethods, pageMethods } from "../../src/api/methods.ts";
import { processMethods } from "../../src/api/process-rows.ts";
import { TOKEN, UiScene } from "../support/ui-scene.ts";

const rows = Object.entries({ ...appMethods, ...processMethods, ...pageMethods });
const methods = rows.flatMap(([name, row]) => (row.kind === "stream" ? [] : [{ name, forCommandAlone: row.commandOnly }]));

describe("every method of the table", () => {
	let ui: UiScene;
	beforeAll(async () => {
		ui = await UiScene.open();
		await ui.signIn();
	});
	afterAll(() => ui[Symbol.asyncDispose]());

	it.each(methods)("$name: refuses what it does not take, before anything is done", async ({ name }) => {
		const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
		const { status, body } = await ui.request("POST", `/api/${name}`, headers, JSON.stringify({ unknownToAll: 1 }));
		expect([status, JSON.parse(body)]).toMatchObject([400, { error: { code: "INVALID_INPUT" } }]);
	});

	it.each(methods)("$name: answers a page's session only when it is not for commands alone", async ({ name, forCommandAlone }) => {
		const { status, error } = await ui.call(name, { unknownToAll: 1 });
		expect([status, error?.code]).toEqual(forCommandAlone ? [401, "UNAUTHENTICATED"] : [400, "INVALID_INPUT"]);
	});

	it.each(methods)("$name: answers no one without token and session", async ({ name }) => {
		expect((await ui.request("POST", `/api/${name}`, { origin: ui.url, "content-type": "application/json" }, "{}")).status).toBe(401);
	});
});

it("keeps what makes links and what compares settings for commands alone", () => {
	expect(methods.filter((method) => method.forCommandAlone).map(({ name }) => name)).toEqual([
		"agentTerminal",
		"endApp",
		"openKey",
		"startedWith",
	]);
});
