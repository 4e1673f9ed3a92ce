import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientOf } from "../support/app/kept-bridge.ts";
import { writeProviders } from "../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { type FakeModel, startFakeModel } from "../support/model/fake-model.ts";
import { type OpenedPage, openPage } from "../support/page/opened-page.ts";
import { webhookAddress } from "../support/plans/webhook-address.ts";
import { type FakeWhatsApp, startFakeWhatsApp } from "../support/services/fake-whatsapp.ts";

const bali = "Research the best beaches in Bali for families";
const alert = "Write a fake emergency alert";
const workLog = "I looked at twelve beaches, step 1 of 3.";
const deliverable = "*Beaches in Bali for families*\n\nSanur: calm and shallow.\nNusa Dua: clean, with shade.";
const sentence = "WhatsApp me a fake emergency alert";
const own = "There is no emergency.";
const read = {
	shouldCreateTask: true,
	task: {
		title: "Alert",
		instructions: alert,
		delivery: [{ channel: "whatsapp", channelWords: "WhatsApp" }],
		when: { kind: "now" },
	},
};
const stories = {
	[bali]: `UNRULY:SAY ${workLog}\n\n<deliverable>\n${deliverable}\n</deliverable>`,
	[alert]: "UNRULY:SAY I can't help with that.\n<deliverable>NONE</deliverable>",
};

let model: FakeModel;
let whatsapp: FakeWhatsApp;
let opened: OpenedPage;

beforeAll(async () => {
	model = await startFakeModel({ FAKE_MODEL_STORIES: JSON.stringify({ [sentence]: `FAKE:TOOL read_plan ${JSON.stringify(read)}` }) });
	whatsapp = await startFakeWhatsApp();
	opened = await openPage({
		env: { OPENAI_BASE_URL: `${model.url}/v1`, XWORKMATE_DEFAULT_PROVIDER: "unruly", XWORKMATE_WEBHOOK_LISTEN: "127.0.0.1:0" },
		prepare: async (home) => {
			const file = join(home.path, "stories.json");
			await writeFile(file, JSON.stringify(stories));
			await writeProviders(home, [unrulyAgent("unruly", { UNRULY_STORIES: file })]);
		},
	});
	// The page has no field for another server than Meta's.
	const { baseUrl } = whatsapp.settings;
	const client = await clientOf(opened.home);
	await client.rpc("xworkmate.channels.configure", { channel: "whatsapp", settings: { baseUrl }, secrets: {} });
	await whatsapp.tell("webhook", { url: await webhookAddress(opened.home), automatic: ["sent", "delivered"] });
});
afterAll(async () => {
	await opened[Symbol.asyncDispose]();
	await whatsapp[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
});

const asked = async () => (await whatsapp.journal()).filter(({ event }) => event === "messages").length;
const textOf = (body: string) => JSON.parse(body).text?.body;
const press = (name: string) => opened.page.getByRole("button", { name, exact: true }).click();
const card = (title: string) => opened.page.getByRole("article", { name: title, exact: true });

/** Fills the form for one WhatsApp message to oneself, now. */
async function byForm(title: string, field: "Work" | "Text", words: string): Promise<void> {
	const { page, url } = opened;
	await page.goto(`${url}#/plans/new`);
	await press("Form");
	if (field === "Text") await page.getByRole("radio", { name: /This exact text/ }).check();
	await page.getByRole("textbox", { name: field, exact: true }).fill(words);
	await page.getByLabel("Channel", { exact: true }).selectOption("whatsapp");
	await press("Now");
	await page.getByRole("textbox", { name: "Title", exact: true }).fill(title);
	await press("Create plan");
	// What was made is shown, and then the list has it too.
	await page.getByRole("heading", { name: title, exact: true }).first().waitFor();
	await page.goto(`${url}#/plans`);
	await card(title).waitFor();
}

it("WhatsApp is set up and tested on its page, which says where the bridge listens and until when it may write", async () => {
	const { page, url } = opened;
	const { phoneNumberId = "", owner = "" } = whatsapp.settings;
	const { accessToken = "", appSecret = "", verifyToken = "" } = whatsapp.secrets;
	await page.goto(`${url}#/settings/channels`);
	const section = page.getByRole("region", { name: "WhatsApp", exact: true });
	for (const [label, value] of [
		["Access token", accessToken],
		["Phone number ID", phoneNumberId],
		["Your own number", owner],
		["App secret", appSecret],
		["Verify token", verifyToken],
	] as const)
		await section.getByLabel(label, { exact: true }).fill(value);
	await section.getByRole("button", { name: "Save and test" }).click();
	await section.getByText("WhatsApp accepted the message. Check", { exact: false }).waitFor();
	await section.getByText("listens for delivery reports", { exact: false }).waitFor();
	expect(await page.content()).not.toContain(accessToken);
	expect(await whatsapp.messages()).toHaveLength(1);
	await whatsapp.tell("reply", { from: owner.slice(1), text: "Hello" });
	await expect
		.poll(async () => {
			await page.reload();
			await section.getByText("listens for delivery reports", { exact: false }).waitFor();
			return section.getByText("any message can be sent to your own number until", { exact: false }).count();
		})
		.toBe(1);
});

it("[T2-78][T2-79][T2-83] research by the form: one message with the result alone, delivered by a webhook, on the card", async () => {
	const before = (await whatsapp.messages()).length;
	await byForm("A trip", "Work", bali);
	await card("A trip").getByText("Delivered", { exact: true }).waitFor();
	const sent = (await whatsapp.messages()).slice(before);
	expect(sent.map(({ body }) => textOf(body))).toEqual([deliverable]);
});

it("[T2-84][T2-85][T2-86] a given text by the form: one message with exactly these bytes, and no question to a model", async () => {
	const before = (await whatsapp.messages()).length;
	const questions = (await model.requests()).length;
	const content = "Don't forget to call mom";
	await byForm("Mom", "Text", content);
	await card("Mom").getByText("Delivered", { exact: true }).waitFor();
	const sent = (await whatsapp.messages()).slice(before);
	expect(sent.map(({ body }) => textOf(body))).toEqual([content]);
	expect(await model.requests()).toHaveLength(questions);
});

it("[T2-88][T2-89] a refusal by the form: nothing is sent, and the card says so", async () => {
	const before = await asked();
	await byForm("Refused", "Work", alert);
	await card("Refused").getByRole("link", { name: "Review" }).waitFor();
	await card("Refused").getByText("The agent declined").waitFor();
	expect(await asked()).toBe(before);
});

it("two pages and one that was closed meanwhile agree about a message that fails after WhatsApp had taken it", async () => {
	const { page, url } = opened;
	await whatsapp.tell("webhook", { url: await webhookAddress(opened.home), automatic: ["sent"] });
	await byForm("Late news", "Text", "This will not arrive");
	await card("Late news").getByText("Unconfirmed", { exact: true }).waitFor();
	const closed = await opened.another();
	await closed.goto(`${url}#/plans`);
	await closed.getByRole("article", { name: "Late news", exact: true }).waitFor();
	await closed.close();
	const other = await opened.another();
	await other.goto(`${url}#/plans`);
	const theirs = other.getByRole("article", { name: "Late news", exact: true });
	await theirs.getByText("Unconfirmed", { exact: true }).waitFor();
	const { id } = (await whatsapp.messages()).find(({ body }) => textOf(body) === "This will not arrive") ?? {};
	await whatsapp.tell("status", { id, status: "failed", code: 131_026 });
	for (const each of [card("Late news"), theirs]) {
		await each.getByText("Couldn’t be delivered to the recipient").waitFor();
		await each.getByText("Not sent", { exact: true }).first().waitFor();
	}
	const again = await opened.another();
	await again.goto(`${url}#/plans`);
	const same = again.getByRole("article", { name: "Late news", exact: true });
	await same.getByText("Couldn’t be delivered to the recipient").waitFor();
	expect(await same.textContent()).toBe(await theirs.textContent());
	expect(await theirs.textContent()).toBe(await card("Late news").textContent());
	await Promise.all([other.close(), again.close()]);
	await page.bringToFront();
	await whatsapp.tell("webhook", { url: await webhookAddress(opened.home), automatic: ["sent", "delivered"] });
});

it("a plan from a sentence is made by a press, reviewed, sent as it was written, and delivered by a webhook", async () => {
	const { page, url } = opened;
	const before = (await whatsapp.messages()).length;
	await page.goto(`${url}#/plans/new`);
	await press("In words");
	await page.getByRole("textbox", { name: "What should be done, and where should it go?" }).fill(sentence);
	await press("Create draft");
	await page.getByRole("region", { name: "Draft" }).getByText("WhatsApp", { exact: true }).first().waitFor();
	await page.goto(`${url}#/plans`);
	await card("Refused").waitFor();
	expect(await card("Alert").count()).toBe(0);

	await page.goto(`${url}#/plans/new`);
	await press("In words");
	await page.getByRole("textbox", { name: "What should be done, and where should it go?" }).fill(sentence);
	await press("Create draft");
	await press("Create plan");
	await page.getByRole("heading", { name: "Alert", exact: true }).first().waitFor();
	await page.goto(`${url}#/plans`);
	await card("Alert").getByRole("link", { name: "Review" }).click();
	await press("Write it yourself");
	await page.getByRole("textbox", { name: "The message" }).fill(own);
	await page.locator(".bubble").getByText(own).waitFor();
	expect(await whatsapp.messages()).toHaveLength(before);
	await press("Send this text");
	await page.getByText("Your decision to send your text was recorded.").first().waitFor();
	await page.goto(`${url}#/plans`);
	await card("Alert").getByText("Delivered", { exact: true }).waitFor();
	const sent = (await whatsapp.messages()).slice(before);
	expect(sent.map(({ body }) => textOf(body))).toEqual([own]);
	expect(opened.faults).toEqual([]);
});
