import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../support/app/command.ts";
import { type StartedApp, startApp } from "../../support/app/started-app.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";

let model: FakeModel;
let home: TemporaryHome;
let app: StartedApp;
beforeAll(async () => {
	model = await startFakeModel();
	home = await temporaryHome();
	app = await startApp(home, { OPENAI_BASE_URL: `${model.url}/v1` });
});
afterAll(async () => {
	await app[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
});

const content = "Don't forget to call mom";
const message = { channel: "dashboard", channelWords: "dashboard", content };

/** A sentence, and what the model makes of it. */
function sentence(words: string, when: object, change: object = {}): string {
	const task = { title: "Call mom", delivery: [{ ...message, ...change }], when };
	const order = Buffer.from(`TOOL read_plan ${JSON.stringify({ shouldCreateTask: true, task })}`).toString("base64url");
	return `${words}\nFAKE:OBEY 1 ORDERS:${order}`;
}

const create = (...args: string[]) => runCommand(home, ["plans", "create", ...args]);
const made = async () =>
	z.array(z.looseObject({ title: z.string() })).parse(JSON.parse((await runCommand(home, ["plans", "list", "--json"])).stdout));

it("makes nothing of a sentence before a yes, nor while something is open", async () => {
	const clear = sentence(`In 2 minutes, put '${content}' on my dashboard`, {
		kind: "in",
		amount: 2,
		unit: "minutes",
		words: ["In 2 minutes"],
	});
	const shown = await create(clear);
	expect(shown.code).not.toBe(0);
	expect(shown.stdout).toContain(`not created yet`);
	expect(shown.stdout).toContain(content);
	expect(shown.stderr).toContain("--yes");
	expect(await made()).toEqual([]);
	const open = await create("--yes", sentence(`Put '${content}' on my dashboard`, { kind: "now" }, { content: "Call your mother" }));
	expect(open.code).not.toBe(0);
	expect(open.stderr).toContain("No plan was created");
	expect(await made()).toEqual([]);
	expect((await create("--yes", "--dashboard", clear)).stderr).toContain("--dashboard");
	const yes = await create("--yes", clear, "--thread", "mother", "--json");
	expect(yes.code, yes.stderr).toBe(0);
	expect(JSON.parse(yes.stdout)).toMatchObject({ title: "Call mom", threadId: "mother", delivery: [{ channel: "dashboard", content }] });
	expect(await made()).toHaveLength(1);
});
