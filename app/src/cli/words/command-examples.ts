import type { Command } from "commander";
import { commandLine } from "../../text/command-line.ts";

const thread = "draft:2026-11-21-2wrgxmxjyc";
const approval = "apr-4kq2v7d3mzt6w5xs";
const run = "run-465gtomy7ylhgylegtvl";
const plan = "plan-4kq2v7d3mzt6w5xs";
const none = "";

/** Examples by command; the empty key is the program itself. Each example works exactly as printed. */
export const commandExamples: Readonly<Record<string, readonly string[]>> = {
	[none]: ["start", 'run --provider goose "Summarize notes.md"', "threads", "approvals", "doctor"],
	start: ["start", "start --open"],
	help: ["help run", "help threads show"],
	bridge: ["bridge", "bridge -- --bridge-listen 127.0.0.1:9000"],
	doctor: ["doctor", "doctor --json"],
	logs: ["logs", "logs --follow"],
	run: [
		'run --provider goose "Write a summary of notes.md" --attach notes.md --require summary.md',
		`run --thread ${thread} "Make it shorter"`,
		'run --target gateway --detach "Check the nightly build"',
		'run --provider script --tool-policy notes.note.add=deny "return await tools.notes.listNotes({})"',
	],
	threads: ["threads", `threads show ${thread}`, `threads archive ${thread}`, `threads delete ${thread}`],
	"threads help": ["threads help show"],
	"threads list": ["threads list", "threads list --archived"],
	"threads show": [`threads show ${thread}`],
	"threads archive": [`threads archive ${thread}`],
	"threads restore": [`threads restore ${thread}`],
	"threads delete": [`threads delete ${thread}`],
	sync: [`sync ${thread}`],
	open: ["open", "open --print", `open ${thread}`],
	tasks: ["tasks", `tasks --thread ${thread}`],
	cancel: [`cancel ${thread}`, "cancel run-465gtomy7ylhgylegtvl"],
	approvals: ["approvals", `approvals allow ${approval}`, `approvals deny ${approval}`],
	"approvals help": ["approvals help allow"],
	"approvals show": [`approvals show ${approval}`, `approvals show ${approval} --json`],
	"approvals revoke": [`approvals revoke ${approval}`],
	"approvals list": ["approvals list", "approvals list --json"],
	"approvals allow": [`approvals allow ${approval}`],
	"approvals allow-window": [`approvals allow-window ${approval}`],
	"approvals deny": [`approvals deny ${approval}`],
	grants: ["grants", `grants revoke ${approval}`],
	"grants help": ["grants help revoke"],
	"grants list": ["grants list", "grants list --json"],
	"grants revoke": [`grants revoke ${approval}`],
	receipts: ["receipts", `receipts list --run ${run}`, "receipts verify"],
	"receipts help": ["receipts help verify"],
	"receipts list": ["receipts list", `receipts list --run ${run} --origin executed`],
	"receipts show": [`receipts show ${run}.3`],
	"receipts verify": ["receipts verify", `receipts verify ${run}`],
	"receipts export": ["receipts export", `receipts export ${run}`],
	"receipts head": ["receipts head", `receipts head ${run}`],
	activity: [`activity ${run}`, `activity ${run} --json`],
	tools: ["tools", "tools new notes", "tools policy notes.note.add allow"],
	"tools help": ["tools help check"],
	"tools list": ["tools list", "tools list --json"],
	"tools check": ["tools check ~/.xworkmate/tools/notes"],
	"tools new": ["tools new notes"],
	"tools add": ["tools add calendar"],
	"tools accept": ["tools accept notes"],
	"tools reload": ["tools reload", "tools reload notes"],
	"tools policy": ["tools policy notes.note.add ask", "tools policy notes.note.add inherit"],
	auth: ["auth", "auth anthropic setup-token", "auth test"],
	"auth help": ["auth help anthropic setup-token"],
	"auth list": ["auth list", "auth list --json"],
	"auth anthropic": ["auth anthropic setup-token", "auth anthropic api-key"],
	"auth anthropic setup-token": ["auth anthropic setup-token", "auth anthropic setup-token --name work"],
	"auth anthropic api-key": ["auth anthropic api-key", "auth anthropic api-key --name work"],
	"auth openai": ["auth openai api-key"],
	"auth openai api-key": ["auth openai api-key", "auth openai api-key --name local"],
	"auth order": ["auth order anthropic anthropic:manual anthropic:key"],
	"auth remove": ["auth remove anthropic:key"],
	"auth test": ["auth test", "auth test anthropic:manual"],
	plans: ["plans", 'plans create --in 1m --dashboard --content "Drink some water"', `plans show ${plan}`],
	"plans help": ["plans help create"],
	"plans list": ["plans list", "plans list --needs-review"],
	"plans create": [
		'plans create "Every weekday at 9 put a summary of the news on my dashboard"',
		'plans create --in 1m --dashboard --content "Drink some water"',
		'plans create --email me --title "Beaches in Bali" --work "Research best beaches in Bali for families"',
		'plans create --cron "0 9 * * 1-5" --timezone Asia/Bangkok --email anna --work "Summarize what changed since yesterday"',
	],
	"plans show": [`plans show ${plan}`, `plans show ${plan}-1`],
	"plans watch": [`plans watch ${plan}`, `plans watch ${plan}-1`],
	"plans review": [
		`plans review ${plan}`,
		`plans review ${plan}-1 --send --payload 3f2a91c04b7e`,
		`plans review ${plan}-1 --edit message.md`,
		`plans review ${plan}-1 --discard`,
	],
	"plans settle": [`plans settle ${plan}-1 --sent`, `plans settle ${plan}-1 --not-sent`],
	"plans resend": [`plans resend ${plan}-1`, `plans resend ${plan}-1 --to anna`],
	"plans run": [`plans run ${plan}`, `plans run ${plan} --wait`],
	"plans pause": [`plans pause ${plan}`],
	"plans resume": [`plans resume ${plan}`],
	"plans cancel": [`plans cancel ${plan}`, `plans cancel ${plan}-1`],
	"plans delete": [`plans delete ${plan}`],
	channels: ["channels", "channels setup email --service Gmail --user me@gmail.com", "channels test email"],
	"channels help": ["channels help setup"],
	"channels list": ["channels list", "channels list --json"],
	"channels setup": [
		"channels setup email --service Gmail --user me@gmail.com",
		"channels setup discord --owner 200000000000000000",
		"channels setup email --host smtp.example.com --user me --from me@example.com --password-env MAIL_PASSWORD",
	],
	"channels test": ["channels test email", "channels test discord", "channels test email --to anna"],
	"channels remove": ["channels remove email"],
	contacts: ["contacts", 'contacts add anna --name "Anna" --email anna@example.com'],
	"contacts help": ["contacts help add"],
	"contacts list": ["contacts list", "contacts list --json"],
	"contacts add": ['contacts add anna --name "Anna" --email anna@example.com'],
	"contacts remove": ["contacts remove anna"],
	inbox: ["inbox", "inbox list --unread"],
	"inbox help": ["inbox help show"],
	"inbox list": ["inbox list", "inbox list --unread"],
	"inbox show": [`inbox show ${plan}-1-1`],
};

const decided = "answered so now or before, 1 answered otherwise, no longer waiting, or no such request";

const occurrence =
	"0 sent, or nothing to send, 3 failed or not all was sent, 5 cancelled, 9 a message waits for you, 10 it is not known whether a message was sent";

/** Exit codes of the commands that have more than the common ones, for scripts. */
const exitCodes: Readonly<Record<string, string>> = {
	run: "Exit codes: 0 success, 1 not started, 2 wrong usage, 3 failed, 4 required file missing, 5 cancelled, 6 interrupted, 7 output not written, 8 succeeded but not every file is in the folder",
	sync: "Exit codes: 0 every file is in the folder, 1 not every file was checked, 8 a file is not in the folder",
	cancel: "Exit codes: 0 stopped, stop requested, or nothing was running, 1 no such thread or run",
	"approvals allow": `Exit codes: 0 ${decided}`,
	"approvals allow-window": `Exit codes: 0 ${decided}`,
	"approvals deny": `Exit codes: 0 ${decided}`,
	"approvals show": "Exit codes: 0 shown, 1 no such request",
	"approvals revoke": "Exit codes: 0 revoked now or before, 1 no such permission",
	"grants revoke": "Exit codes: 0 revoked now or before, 1 no such permission",
	"receipts verify": "Exit codes: 0 everything is whole, 1 there is a problem, or the check could not be made",
	"tools check": "Exit codes: 0 no problem, 1 at least one problem",
	"tools reload": "Exit codes: 0 everything loaded, 1 an integration did not load or is not known",
	"tools new": "Exit codes: 0 written and accepted, 1 not",
	"tools add": "Exit codes: 0 added and accepted, 1 not",
	"tools accept": "Exit codes: 0 accepted now or before, 1 not known, not loaded, or another version",
	"auth list": "Exit codes: 0 listed, 1 the file of the accounts can't be used",
	"auth anthropic setup-token": "Exit codes: 0 stored, 1 not stored, 2 wrong usage",
	"auth anthropic api-key": "Exit codes: 0 stored, 1 not stored, 2 wrong usage",
	"auth openai api-key": "Exit codes: 0 stored, 1 not stored, 2 wrong usage",
	"auth order": "Exit codes: 0 set, 1 no such account, or the accounts file can't be used",
	"auth remove": "Exit codes: 0 removed, 1 no such account, or the accounts file can't be used",
	"auth test": "Exit codes: 0 every tested account works, 1 one does not, or there is none",
	"plans create": "Exit codes: 0 made, or made before by the same request, 1 not made, 2 wrong usage",
	"plans run": `Exit codes: 0 made due; with --wait ${occurrence}`,
	"plans watch": `Exit codes: ${occurrence}`,
	"plans review": "Exit codes: 0 decided, 1 not applied because it changed, or nothing waits, 9 shown, and still waiting for you",
	"plans settle": "Exit codes: 0 recorded, 1 not applied because it changed, or nothing is unknown",
	"plans resend": "Exit codes: 0 made due, 1 nothing can be sent again",
	"channels setup": "Exit codes: 0 stored and ready, 1 not stored, or something is still missing, 2 wrong usage",
	"channels test": "Exit codes: 0 the message was accepted, 1 it was not",
	doctor: "Exit codes: 0 no problem, 1 at least one problem",
};

/** Adds examples to the help of the program and of every command. */
export function addExamples(command: Command, words: readonly string[] = []): void {
	const name = words.join(" ");
	const examples = (commandExamples[name] ?? []).map((example) => `  ${commandLine(example)}`);
	if (examples.length > 0) command.addHelpText("after", ["", "Examples:", ...examples].join("\n"));
	const codes = exitCodes[name];
	if (codes !== undefined) command.addHelpText("after", `\n${codes}`);
	for (const part of command.commands) addExamples(part, [...words, part.name()]);
}
