import type { Command } from "commander";
import { commandLine } from "../../text/command-line.ts";

const thread = "draft:2026-11-21-2wrgxmxjyc";
const approval = "apr-4kq2v7d3mzt6w5xs";
const run = "run-465gtomy7ylhgylegtvl";
const plan = "plan-4kq2v7d3mzt6w5xs";
const none = "";

/** Examples by command; the empty key is the program itself. Each can be typed exactly as printed, but its ids and files are invented. */
export const commandExamples: Readonly<Record<string, readonly string[]>> = {
	[none]: ["start", 'run --provider goose "Summarize notes.md"', "threads", "approvals", "doctor"],
	start: ["start", "start --open"],
	stop: ["stop"],
	background: ["background"],
	help: ["help run", "help threads show"],
	bridge: ["bridge", "bridge -- --bridge-listen 127.0.0.1:9000"],
	doctor: ["doctor", "doctor --verify", "doctor --json"],
	config: ["config", "config set maxActiveRuns 8"],
	"config help": ["config help set"],
	"config list": ["config list", "config list --json"],
	"config get": ["config get allowedRoots"],
	"config set": ["config set maxActiveRuns 8", 'config set allowCommands "git status" "npm test"'],
	"config unset": ["config unset maxActiveRuns"],
	"config secret": ["config secret openclawToken", "config secret openclawToken --remove"],
	"config edit": ["config edit"],
	"config apply": ["config apply", "config apply --restart"],
	"config path": ["config path"],
	service: ["service", "service install"],
	"service help": ["service help install"],
	"service status": ["service status", "service status --json"],
	"service install": ["service install"],
	"service uninstall": ["service uninstall"],
	backup: ["backup xworkmate.backup"],
	restore: ["restore xworkmate.backup", "restore xworkmate.backup --replace"],
	changes: [
		`changes ${thread}`,
		`changes ${thread} --diff src/main.ts`,
		`changes ${thread} --apply src/main.ts README.md`,
		`changes ${thread} --discard src/main.ts --yes`,
		`changes ${thread} --commit -m "Parse dates"`,
	],
	logs: ["logs", "logs --follow"],
	run: [
		'run --provider goose "Write a summary of notes.md" --attach notes.md --require summary.md',
		`run --thread ${thread} "Make it shorter"`,
		'run --provider goose --cwd . --worktree "Fix the failing test"',
		'run --target gateway --detach "Check the nightly build"',
		'run --provider script --tool-policy notes.note.add=deny "return await tools.notes.listNotes({})"',
	],
	threads: ["threads", `threads show ${thread}`, `threads archive ${thread}`, `threads delete ${thread}`],
	"threads help": ["threads help show"],
	"threads list": ["threads list", "threads list --archived"],
	"threads show": [`threads show ${thread}`],
	"threads export": [
		`threads export ${thread}`,
		`threads export ${thread} --to thread.md`,
		`threads export ${thread} --zip --to thread.zip`,
	],
	"threads pin": [`threads pin ${thread}`],
	"threads unpin": [`threads unpin ${thread}`],
	"threads tag": [`threads tag ${thread} work "to read"`, `threads tag ${thread}`],
	"threads archive": [`threads archive ${thread}`],
	"threads restore": [`threads restore ${thread}`],
	"threads delete": [`threads delete ${thread}`, `threads delete ${thread} --yes`],
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
	agents: ["agents", "agents install goose", "agents login goose"],
	"agents help": ["agents help install"],
	"agents list": ["agents list", "agents list --json"],
	"agents install": ["agents install goose"],
	"agents check": ["agents check"],
	"agents update": ["agents update", "agents update goose"],
	"agents remove": ["agents remove goose", "agents remove goose --yes"],
	"agents cancel": ["agents cancel goose"],
	"agents test": ["agents test", "agents test goose"],
	"agents login": ["agents login goose", "agents login goose --method openai-key --set GOOSE_MODEL=gpt-5.5"],
	"agents logout": ["agents logout goose"],
	auth: ["auth", "auth anthropic setup-token", "auth test"],
	"auth help": ["auth help anthropic setup-token"],
	"auth list": ["auth list", "auth list --json"],
	"auth anthropic": ["auth anthropic setup-token", "auth anthropic api-key"],
	"auth anthropic setup-token": ["auth anthropic setup-token", "auth anthropic setup-token --name work"],
	"auth anthropic api-key": ["auth anthropic api-key", "auth anthropic api-key --name work"],
	"auth openai": ["auth openai api-key"],
	"auth openai api-key": ["auth openai api-key", "auth openai api-key --name local"],
	"auth order": ["auth order anthropic anthropic:manual anthropic:key"],
	"auth remove": ["auth remove anthropic:key", "auth remove anthropic:key --yes"],
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
		`plans review ${plan}-1-2 --discard`,
	],
	"plans settle": [`plans settle ${plan}-1 --sent`, `plans settle ${plan}-1 --not-sent`],
	"plans resend": [`plans resend ${plan}-1`, `plans resend ${plan}-1 --to anna`],
	"plans run": [`plans run ${plan}`, `plans run ${plan} --wait`],
	"plans pause": [`plans pause ${plan}`],
	"plans resume": [`plans resume ${plan}`],
	"plans cancel": [`plans cancel ${plan}`, `plans cancel ${plan}-1`],
	"plans delete": [`plans delete ${plan}`, `plans delete ${plan} --yes`],
	channels: ["channels", "channels setup email --service Gmail --user me@gmail.com", "channels test email"],
	"channels help": ["channels help setup"],
	"channels list": ["channels list", "channels list --json"],
	"channels setup": [
		"channels setup email --service Gmail --user me@gmail.com",
		"channels setup discord --owner 200000000000000000",
		"channels setup email --host smtp.example.com --user me --from me@example.com --password-env MAIL_PASSWORD",
	],
	"channels test": ["channels test email", "channels test discord", "channels test email --to anna"],
	"channels remove": ["channels remove email", "channels remove email --yes"],
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

const decided =
	"0 if the request was answered this way (now or earlier); 1 if it was answered differently, it expired, its run is no longer waiting for an answer, or it doesn't exist";

const occurrence =
	"0 sent, nothing to send, or the agent declined and the plan sends nothing in that case; 3 failed, or not everything was sent; 5 cancelled; 6 XWorkmate was stopped first; 9 a message needs your review; 10 unknown whether a message was sent";

const unconfirmed = "or no --yes where XWorkmate can't ask you to confirm; 5 not confirmed";

/** The exit codes that the help of a command explains, for scripts. */
const exitCodes: Readonly<Record<string, string>> = {
	[none]:
		"Exit codes of every command: 0 done (now or earlier); 1 not done, not found, or XWorkmate can't be reached; 2 wrong usage, so nothing was started; others are in the command's help",
	run: "Exit codes: 0 succeeded or, with --detach, sent or saved; 1 not started; 2 wrong usage; 3 failed; 4 required file missing; 5 cancelled; 6 interrupted; 7 output not written; 8 succeeded but not every file is in the folder",
	sync: "Exit codes: 0 every file is in the folder; 1 not every file was checked; 8 a file is not in the folder",
	cancel: "Exit codes: 0 if the run was stopped, a stop was requested, or nothing was running; 1 if the thread or run doesn't exist",
	"approvals allow": `Exit codes: ${decided}`,
	"approvals allow-window": `Exit codes: ${decided}`,
	"approvals deny":
		"Exit codes: 0 if the request was denied (now or earlier) or expired; 1 if it was allowed, its run is no longer waiting for an answer, or it doesn't exist",
	"approvals show": "Exit codes: 0 shown; 1 no such request",
	"approvals revoke": "Exit codes: 0 if the permission was revoked (now or earlier); 1 if there is no such permission",
	"grants revoke": "Exit codes: 0 if the permission was revoked (now or earlier); 1 if there is no such permission",
	"receipts verify":
		"Exit codes: 0 everything is intact; 1 a problem was found, the saved hash wasn't found, or the check could not be completed",
	"tools check": "Exit codes: 0 no problems; 1 at least one problem",
	"tools reload": "Exit codes: 0 if everything loaded; 1 if an integration didn't load or doesn't exist",
	"tools new": "Exit codes: 0 created and accepted; 1 not created, or not accepted",
	"tools add": "Exit codes: 0 added and accepted; 1 not added, or not accepted",
	"tools accept":
		"Exit codes: 0 if the code was accepted (now or earlier); 1 if the integration doesn't exist, has never loaded, or has a version with another hash",
	"auth list": "Exit codes: 0 listed; 1 the accounts file can't be used",
	"auth anthropic setup-token": "Exit codes: 0 stored; 1 not stored; 2 wrong usage",
	"auth anthropic api-key": "Exit codes: 0 stored; 1 not stored; 2 wrong usage",
	"auth openai api-key": "Exit codes: 0 stored; 1 not stored; 2 wrong usage",
	"auth order": "Exit codes: 0 set; 1 no such account, or the accounts file can't be used",
	"auth remove": `Exit codes: 0 removed; 1 no such account, the accounts file can't be used, ${unconfirmed}`,
	"auth test": "Exit codes: 0 every tested account works; 1 an account does not work, there are none, or the accounts file can't be used",
	"plans create": "Exit codes: 0 created; 1 not created; 2 wrong usage; 5 not confirmed when asked",
	"plans run": `Exit codes: 0 started; with --wait: ${occurrence}`,
	"plans watch": `Exit codes: ${occurrence}`,
	"plans review":
		"Exit codes: 0 if your decision was applied (now or earlier); 1 if it wasn't, because the message changed, nothing is waiting, or several messages are waiting and you named none; 9 if the message was shown and is still waiting for you",
	"plans settle":
		"Exit codes: 0 if the outcome was recorded (now or earlier); 1 if it wasn't, because the message changed, the other outcome had already been recorded, or no message or more than one has an unknown outcome",
	"plans resend":
		"Exit codes: 0 if the message was queued again; 1 if there is no message that can be sent again; 9 if it is held for your review",
	"channels setup": "Exit codes: 0 stored and complete; 1 not stored, or something is still missing; 2 wrong usage",
	"channels test": "Exit codes: 0 every step succeeded; 1 a step failed",
	changes: `Exit codes: 0 done; 1 nothing to compare, a file conflicts, ${unconfirmed}`,
	"threads delete": `Exit codes: 0 deleted; 1 no such thread, the thread is still running, ${unconfirmed}`,
	"threads export": "Exit codes: 0 exported; 1 not exported; 8 exported without some of the thread's files",
	backup:
		"Exit codes: 0 backed up; 1 not backed up; 8 backed up, but a file changed while it was being read, or has a name that is not UTF-8",
	restore: "Exit codes: 0 restored; 1 not restored; 5 stopped with Ctrl+C, so nothing was restored",
	"plans cancel": `Exit codes: 0 cancelled, or nothing was pending; 1 no such plan or due time, ${unconfirmed}`,
	"agents install": "Exit codes: 0 installed; 1 not installed; 5 cancelled",
	"agents update": "Exit codes: 0 up to date, or the available updates are listed; 1 not updated; 5 cancelled",
	"agents login": "Exit codes: 0 signed in; 1 not signed in, or a method has to be chosen; 5 cancelled",
	"plans delete": `Exit codes: 0 deleted; 1 no such plan, ${unconfirmed}`,
	"agents remove": `Exit codes: 0 removed; 1 not removed, ${unconfirmed}`,
	"channels remove": `Exit codes: 0 removed; 1 not removed, ${unconfirmed}`,
	doctor: "Exit codes: 0 no problems; 1 at least one problem",
};

/** Adds examples and exit codes to the help of the program and of every command that has any. */
export function addExamples(command: Command, words: readonly string[] = []): void {
	const name = words.join(" ");
	const examples = (commandExamples[name] ?? []).map((example) => `  ${commandLine(example)}`);
	if (examples.length > 0) command.addHelpText("after", ["", "Examples:", ...examples].join("\n"));
	const codes = exitCodes[name];
	if (codes !== undefined) command.addHelpText("after", `\n${codes}`);
	for (const part of command.commands) addExamples(part, [...words, part.name()]);
}
