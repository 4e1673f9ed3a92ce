import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../support/app/command.ts";
import { type StartedApp, startApp } from "../../support/app/started-app.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { mailText } from "../../support/plans/set-up-email.ts";
import { type FakeSmtp, startFakeSmtp } from "../../support/services/smtp-server.ts";

const OWNER = "mira@mail.example";
const Made = z.looseObject({ planId: z.string() });

let home: TemporaryHome;
let smtp: FakeSmtp;
let app: StartedApp;

beforeAll(async () => {
	home = await temporaryHome();
	smtp = await startFakeSmtp();
	app = await startApp(home);
});
afterAll(async () => {
	await app[Symbol.asyncDispose]();
	await smtp[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const xworkmate = (...args: string[]) => runCommand(home, args);

/** The texts of all mails that have come, with whom they went to. */
async function mails() {
	return (await smtp.mails()).map((mail) => [mail.to[0], mailText(mail)]);
}

it("[T2-12][T2-57] sets email up, tests it, and ends with one mail of exactly the given bytes", async () => {
	const { host, port, security, user, caFile } = smtp.settings;
	const server = ["--host", String(host), "--port", String(port), "--security", String(security), "--ca-file", String(caFile)];
	const setUp = await runCommand(home, ["channels", "setup", "email", ...server, "--user", String(user), "--owner", OWNER], {
		stdin: `${smtp.secrets.password}\n`,
	});
	expect(setUp.code, setUp.stderr).toBe(0);
	expect(setUp.stdout + setUp.stderr).not.toContain(smtp.secrets.password);
	const tested = await xworkmate("channels", "test", "email");
	expect(tested.code, tested.stdout + tested.stderr).toBe(0);
	expect(await smtp.mails()).toHaveLength(1);
	const content = "Don't forget to call mom";
	const made = await xworkmate("plans", "create", "--in", "2s", "--email", "me", "--content", content, "--json");
	expect(made.code, made.stderr).toBe(0);
	const { planId } = Made.parse(JSON.parse(made.stdout));
	expect(await xworkmate("plans", "watch", planId)).toMatchObject({ code: 0, stdout: expect.stringContaining("Completed") });
	expect((await mails()).slice(1)).toEqual([[OWNER, content]]);
	expect(await xworkmate("plans", "show", planId)).toMatchObject({ code: 0, stdout: expect.stringContaining("Sent") });
});

it("sends nothing to a contact that was removed: the message waits, and goes where the contact is when it is there again", async () => {
	const before = await mails();
	expect(await xworkmate("contacts", "add", "anna", "--name", "Anna", "--email", "anna@example.com")).toMatchObject({ code: 0 });
	expect((await xworkmate("contacts")).stdout).toContain("anna@example.com");
	const made = await xworkmate("plans", "create", "--in", "3s", "--email", "anna", "--content", "Are you there?", "--json");
	expect(made.code, made.stderr).toBe(0);
	expect(await xworkmate("contacts", "remove", "anna")).toMatchObject({ code: 0 });
	const { planId } = Made.parse(JSON.parse(made.stdout));
	const watched = await xworkmate("plans", "watch", planId);
	expect(watched).toMatchObject({ code: 9 });
	expect((await xworkmate("plans", "show", planId)).stdout).toContain("There is no contact anna.");
	expect(await mails()).toEqual(before);
	await xworkmate("contacts", "add", "anna", "--name", "Anna", "--email", "anna@elsewhere.example");
	const looked = await xworkmate("plans", "review", `${planId}-1`, "--send");
	const [, hash = ""] = /--payload ([0-9a-f]{12})$/m.exec(looked.stdout) ?? [];
	expect((await xworkmate("plans", "review", `${planId}-1`, "--send", "--payload", hash)).code).toBe(0);
	expect(await xworkmate("plans", "watch", planId)).toMatchObject({ code: 0 });
	expect((await mails()).slice(before.length)).toEqual([["anna@elsewhere.example", "Are you there?"]]);
});

it("previews a person's own words first, and sends them only under their hash", async () => {
	const before = await mails();
	const made = await xworkmate(
		...["plans", "create", "--email", "me", "--agent", "script", "--instructions", "return 'NONE'", "--title", "Declines", "--json"],
	);
	const { planId } = Made.parse(JSON.parse(made.stdout));
	expect(await xworkmate("plans", "watch", planId)).toMatchObject({ code: 9 });
	const words = (text: string) => runCommand(home, ["plans", "review", `${planId}-1`, "--edit", "-"], { stdin: text });
	expect((await words("First words")).code).toBe(9);
	const looked = await words("My own words");
	expect(looked.stdout).toContain("My own words");
	const [, hash = ""] = /--payload ([0-9a-f]{12})$/m.exec(looked.stdout) ?? [];
	const edit = ["plans", "review", `${planId}-1`, "--edit", "-", "--payload", hash];
	expect(await runCommand(home, edit, { stdin: "Other words" })).toMatchObject({ code: 1 });
	expect(await mails()).toEqual(before);
	expect((await runCommand(home, edit, { stdin: "My own words" })).code).toBe(0);
	expect(await xworkmate("plans", "watch", planId)).toMatchObject({ code: 0 });
	expect((await mails()).slice(before.length)).toEqual([[OWNER, "My own words"]]);
});
