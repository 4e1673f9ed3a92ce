import { expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../support/app/command.ts";
import { startApp } from "../support/app/started-app.ts";
import { temporaryHome } from "../support/machine/temporary-home.ts";
import { waitUntil } from "../support/machine/wait-until.ts";
import { mailText } from "../support/plans/set-up-email.ts";
import { startFakeSmtp } from "../support/services/smtp-server.ts";

const OWNER = "mira@mail.example";
const MINUTE_MS = 60_000;
const Made = z.looseObject({ planId: z.string() });

// With the machine's own clock, so it takes three minutes.
it("a program that is made a plan of every minute by command sends twice, and a pause by command ends it", async () => {
	await using home = await temporaryHome();
	await using smtp = await startFakeSmtp();
	await using _app = await startApp(home);
	const ended = async (args: readonly string[], stdin?: string) => {
		const { code, stdout, stderr } = await runCommand(home, args, stdin === undefined ? {} : { stdin });
		expect(code, `${args.join(" ")}: ${stdout}${stderr}`).toBe(0);
		return stdout;
	};
	const { host, port, security, user, caFile } = smtp.settings;
	const server = ["--host", String(host), "--port", String(port), "--security", String(security), "--ca-file", String(caFile)];
	await ended(["channels", "setup", "email", ...server, "--user", String(user), "--owner", OWNER], `${smtp.secrets.password}\n`);
	const program = "return 'Water the plants'";
	const made = await ended([
		...["plans", "create", "--cron", "* * * * *", "--agent", "script", "--instructions", program],
		"--email",
		"me",
		"--json",
	]);
	const { planId } = Made.parse(JSON.parse(made));
	const mails = async () => (await smtp.mails()).map((mail) => [mail.to[0], mailText(mail)]);
	await waitUntil("two mails", 3 * MINUTE_MS, async () => ((await mails()).length >= 2 ? true : undefined));
	await ended(["plans", "pause", planId]);
	const sent = await mails();
	expect(sent).toHaveLength(2);
	const due = Date.now();
	await waitUntil("a minute in which it would have been due", 2 * MINUTE_MS, async () =>
		Date.now() > due + MINUTE_MS + 10_000 ? true : undefined,
	);
	expect(await mails()).toEqual(sent);
	expect(sent.every(([to]) => to === OWNER)).toBe(true);
	expect(await ended(["plans", "show", planId])).toContain("Paused");
}, 420_000);
