import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../support/app/command.ts";
import { type StartedApp, startApp } from "../../support/app/started-app.ts";
import { writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { type FakeWhatsApp, startFakeWhatsApp } from "../../support/services/fake-whatsapp.ts";

const bali = "Research best beaches in Bali for families";
const alert = "Write a fake emergency alert";
const deliverable = "Sanur: calm and shallow.\nNusa Dua: clean, with shade.";
const stories = {
	[`- ${bali}`]: `UNRULY:SAY I looked at twelve beaches.\n\n<deliverable>\n${deliverable}\n</deliverable>`,
	[`- ${alert}`]: "UNRULY:SAY I can't help with that.\n<deliverable>NONE</deliverable>",
};
const Made = z.looseObject({ planId: z.string() });

let home: TemporaryHome;
let model: FakeModel;
let whatsapp: FakeWhatsApp;
let app: StartedApp;

beforeAll(async () => {
	home = await temporaryHome();
	model = await startFakeModel();
	whatsapp = await startFakeWhatsApp();
	const file = join(home.path, "stories.json");
	await writeFile(file, JSON.stringify(stories));
	await writeProviders(home, [unrulyAgent("unruly", { UNRULY_STORIES: file })]);
	app = await startApp(home, {
		ANTHROPIC_API_KEY: "sk-ant-api03-fake",
		XWORKMATE_ANTHROPIC_URL: model.url,
		XWORKMATE_DEFAULT_PROVIDER: "unruly",
	});
	const { phoneNumberId = "", owner = "", baseUrl = "" } = whatsapp.settings;
	const setUp = ["channels", "setup", "whatsapp", "--phone-number-id", phoneNumberId, "--owner", owner, "--base-url", baseUrl];
	await ended(0, setUp, { stdin: `${whatsapp.secrets.accessToken}\n` });
});
afterAll(async () => {
	await app[Symbol.asyncDispose]();
	await whatsapp[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

/** What it wrote. @throws unless it ended as it should have */
async function ended(code: number, args: readonly string[], more: Parameters<typeof runCommand>[2] = {}): Promise<string> {
	const end = await runCommand(home, args, more);
	expect(end.code, end.stdout + end.stderr).toBe(code);
	return end.stdout;
}

/** A plan that is over, or waits for a person, and the requests to send and the messages that came of it. */
async function planned(code: number, ...words: readonly string[]) {
	const journal = async () => (await whatsapp.journal()).filter(({ event }) => event === "messages").length;
	const before = { asked: await journal(), messages: (await whatsapp.messages()).length };
	const { planId } = Made.parse(JSON.parse(await ended(0, ["plans", "create", ...words, "--json"])));
	await ended(code, ["plans", "watch", planId]);
	const messages = (await whatsapp.messages()).slice(before.messages);
	return { planId, asked: (await journal()) - before.asked, messages };
}

it("[T2-78][T2-79][T2-81][T2-82] research and WhatsApp by command: exactly one clean message", async () => {
	const { planId, asked, messages } = await planned(0, "--whatsapp", "me", "--work", bali);
	expect(asked).toBe(1);
	expect(messages).toHaveLength(1);
	expect(JSON.parse(messages[0]?.body ?? "")).toMatchObject({ type: "text", text: { body: deliverable } });
	const shown = await ended(0, ["plans", "show", planId]);
	expect(shown).toMatch(/WhatsApp to you \(\+?[\d ]+\): Sent/);
});

it("[T2-84][T2-85][T2-86] a given text by command: exactly one message with these bytes, and no question to a model", async () => {
	const questions = (await model.requests()).length;
	const { asked, messages } = await planned(0, "--in", "2s", "--whatsapp", "me", "--content", "Don't forget to call mom");
	expect(asked).toBe(1);
	expect(messages.map(({ body }) => JSON.parse(body))).toMatchObject([{ text: { body: "Don't forget to call mom" } }]);
	expect(await model.requests()).toHaveLength(questions);
});

it("[T2-88][T2-89] a refusal by command: nothing is sent, and the command says that it waits for a person", async () => {
	const { planId, asked } = await planned(9, "--whatsapp", "me", "--work", alert);
	expect(asked).toBe(0);
	expect(await ended(0, ["plans", "show", planId])).toContain("Needs review");
});
