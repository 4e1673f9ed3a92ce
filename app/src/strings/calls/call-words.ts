import type {
	Contradiction,
	CoolingReason,
	DenyReason,
	GroundingState,
	ReceiptType,
	Risk,
	ToolErrorCode,
	Unpermitted,
} from "@xworkmate/contracts";

/**
 * What a call may do: the word shown beside its tool, and the verb of its request. These are XWorkmate's words, so that a tool can't
 * describe its own risk.
 */
export const riskWords: Readonly<Record<Risk, { readonly word: string; readonly ask: string }>> = {
	read: { word: "Read", ask: "read data" },
	write: { word: "Write", ask: "make a change" },
	destructive: { word: "Destructive", ask: "delete or overwrite something" },
};

/** The verb of a request to create a plan from a chat. */
export const planAsk = "create a plan";

/** Why a call was denied. */
export const denyWords: Readonly<Record<DenyReason, string>> = {
	person: "Denied by {who}",
	policy: "Denied by {rule}",
	policy_failed: "Denied: the tool’s own rule gave no valid answer",
	expired: "Expired, denied automatically",
	run_stopped: "Not answered: the run was stopped",
	run_ended: "Not answered: the run ended first",
	bridge_stopped: "Not answered: the bridge stopped",
	backup_restored: "Not answered before the backup was made",
	withdrawn: "Not answered: the request was withdrawn",
	unattended: "Denied: the run was unattended",
	tool_changed: "Nothing was run: the tool changed",
	input_too_large: "Denied: the input is over 1 MB",
	too_many_waiting: "Denied: too many requests are open",
};

/** Why a call did not succeed. */
export const callEndWords: Readonly<Record<ToolErrorCode, string>> = {
	INVALID_INPUT: "Not run: the input was invalid",
	DENIED: "Not done: denied",
	TOOL_CHANGED: "Nothing was run: the tool changed",
	TOOL_FAILED: "Failed",
	OUTCOME_UNKNOWN: "Outcome unknown, won’t be repeated",
	LIMIT_EXCEEDED: "Limit reached",
	STOPPED: "Stopped",
	INVALID_OUTPUT: "The tool returned something unexpected",
	TOOL_TIMEOUT: "The tool took too long",
	HOST_LOST: "The tool’s process ended",
	NOT_REPORTED: "The agent didn’t report how the call ended",
};

/** Why an agent's own call ended if it was denied after it had started. */
export const deniedLate = "Denied after it had started";

/** What a receipt records, by its type. */
export const receiptWords: Readonly<Record<ReceiptType, string>> = {
	"tool.call.requested": "Requested",
	"tool.call.approved": "Allowed",
	"tool.call.denied": "Denied",
	"tool.call.started": "Started",
	"tool.call.succeeded": "Succeeded",
	"tool.call.failed": "Failed",
	"tool.call.unknown": "Outcome unknown",
	"approval.actor_refused": "Someone without permission tried to answer",
	"auth.profile.rotated": "Switched account",
	"answer.checked": "Answer checked",
	"delivery.requested": "Message due",
	"delivery.handed_over": "Message handed over",
	"delivery.succeeded": "Message sent",
	"delivery.failed": "Message not sent",
	"delivery.unknown": "Unknown whether the message was sent",
	"delivery.settled": "Outcome recorded",
	"delivery.reviewed": "Reviewed",
	"delivery.cancelled": "Message cancelled",
};

/** Why a message was cancelled: the user cancelled what its plan had not finished, or its work was stopped or skipped. */
export const cancelledWords = {
	plan: "{who} cancelled the plan’s pending work or deleted the plan",
	work: "its work was stopped or skipped",
} as const;

/** A change of account in a run, and why. */
export const switchWords: Readonly<Record<"line" | CoolingReason, string>> = {
	line: "Switched from account {from} to account {to}: {why}",
	rate_limited: "the first one reached its rate limit",
	auth: "the first one was rejected",
	billing: "the first one is out of credit",
};

/** What the check of an answer found. */
export const checkedWords: Readonly<Record<GroundingState, string>> = {
	grounded: "receipts back it",
	no_action: "0 actions completed",
	unverified: "not everything in it could be verified",
	replaced: "XWorkmate wrote it",
};

/** Who allowed or denied a call. */
export const decisionWords = {
	allow_once: "Allowed once by {who}",
	allow_window: "Allowed by {who} with a 15-minute permission",
	byWindow: "Allowed by a 15-minute permission",
	byRule: "Allowed by {rule}",
	you: "you",
	onDiscord: "{name} on Discord",
	onGateway: "someone on the OpenClaw gateway",
	/** Whose rule made the decision, as recorded. If nothing is recorded, it was the tool's rule. */
	rules: { person: "your rule", run: "this run’s rule", configuration: "your settings", tool: "the tool’s rule" },
} as const;

/** A typed call's request for approval. */
export const callWords = {
	say: "The run is paused. You can close this window; nothing is lost.",
	answerLost: "Your answer may not have arrived, because the app isn’t responding.",
	answerLostFix: "When the app is back, the request appears here again, unless it was answered or its run has ended.",
	/** For an answer sent from this page; without one, the request is "Not answered: the bridge stopped". */
	answerLostWithBridge: "Your answer didn’t arrive: the bridge stopped",
	answerUnheard: "Your answer at {time} hasn’t arrived, and the request is still open. Answer again.",
	toolSays: "The tool says:",
	agentCalls: "The agent calls it: {title}",
	agentsWords: "As the agent calls it",
	noWords: "The tool doesn’t describe this call. Review the whole input.",
	whole: "Whole input",
	fields: "{count} fields, {bytes}",
	oneField: "1 field, {bytes}",
	size: "{bytes}",
	hash: "Input hash",
	version: "Tool version",
	reading: "Loading the request",
	noInput: "The whole input couldn’t be read. {problem}",
	again: "Try again",
	secret: "Secret",
	secretSay: "{names} is given to this tool",
	secretsSay: "{names} are given to this tool",
	why: "Reason",
	whySay: "You set this tool to Ask.",
	change: "Change",
	unaccepted: "You haven’t accepted this version of the tool.",
	unacceptedSay: "Allowing this call runs its code once. It doesn’t accept the tool.",
	unsure: "Couldn’t check whether you accepted this tool.",
	gone: "The tool has changed or was removed after this request.",
	goneSay: "This call can’t run unless that is undone, so for now you can only deny it.",
	forbidden: "Your rule denies all calls to this tool.",
	forbiddenSay: "This call can’t run unless you change the rule, so for now you can only deny it.",
	review: "Review the code",
	changed: "This tool has changed since it was last allowed.",
	changedSay: "Last allowed: {when}.",
	showChanges: "Show the changes",
	hideChanges: "Hide the changes",
	everyTime: "Asks every time",
	untilAccepted: "Asks until accepted",
	group: "{count} requests from this run, {open} open",
	groupOver: "{count} requests from this run, none open",
	oneByOne: "Allow each one separately. The run continues with the ones you allow.",
	allEnd: "Unanswered requests are denied automatically, the first at {time}",
	denyBoth: "Deny both",
	denyAll: "Deny all {count}",
	answeredAt: "{time}, {span} after it was requested.",
} as const;

/** What a run did. */
export const activityWords = {
	label: "Actions",
	completed: { one: "1 action completed", many: "{count} actions completed" },
	byUs: "{title} by XWorkmate",
	notDone: "{count} not done",
	notKnown: "{count} unknown",
	shown: "{count} shown",
	more: "And {count} more:",
	all: "All receipts",
	done: "Done",
	not: "Not done",
	unknown: "Unknown",
	read: "Read",
	saysDone: "Reported as done",
	saysFailed: "Reported as failed",
	/** For an agent's own call, which XWorkmate can't hold back: the answer to its request, not what the agent did. */
	denied: "Denied",
	noAnswer: "No answer",
	/** For a call made without permission, according to its agent's report or, for `found`, the file. */
	despite: {
		denied: { word: "Denied, but reported anyway", why: "{why}, but the agent reports doing it anyway" },
		found: { word: "Denied, but the file changed", why: "{why}, but the file has changed since" },
		unanswered: { word: "Reported as done, no answer", why: "The agent reports doing it without your answer" },
		another: {
			word: "Reported something else",
			why: "{why}, but the agent reports something other than what was allowed",
		},
	},
	/** For a call that contains the command of another one, which was denied. */
	contains: { word: "Contains what was denied", why: "“{denied}” was denied", line: "although “{denied}” was denied" },
	/** For a call that its agent reports as done although the files showed otherwise when the bridge looked. */
	contradicted: {
		word: "Not as reported",
		not_found: "The agent reported a change, but the file wasn’t there",
		still_there: "The agent reported deleting the file, but it was still there",
		untouched: "The agent reported a change, but the file hadn’t changed",
		not_held: "The agent reported an edit, but the file didn’t contain the reported text",
	},
	reads: { one: "1 call that read data", many: "{count} calls that read data" },
	reported: "Reported by {provider}",
	reportedSay:
		"These are {provider}’s own calls. XWorkmate recorded what {provider} reported and how its requests were answered. It can’t prove what {provider} did.",
	calls: { one: "1 call", many: "{count} calls" },
	readCalls: { one: "1 call that only reads", many: "{count} calls that only read" },
	readsNotListed: {
		one: "1 successful call that only reads isn’t listed.",
		many: "{count} successful calls that only read aren’t listed.",
	},
	onlyRead: { one: "and 1 that only reads", many: "and {count} that only read" },
	check: "{why}. Check what happened before you ask for it again.",
	/** Commands that an agent reported as failed. */
	failedCommands: { one: "1 command failed", many: "{count} commands failed" },
	failedMore: "{line} and {count} more",
	openPlan: "Open the plan",
	receipt: "Receipt {n}",
	receiptOf: "Receipt {n} of: {what}",
	succeeded: "Succeeded.",
	someNot: "Succeeded, but not everything was done.",
	someUnknown: "Succeeded, but the outcome of some calls is unknown.",
	noneDone: "Succeeded, but nothing was done.",
	/** The title of an outcome that includes a call reported or found to have been made without permission. */
	unpermitted: {
		denied: "Succeeded, but the agent reports doing something that was denied.",
		found: "Succeeded, but a file was changed even though the edit was denied.",
		unanswered: "Succeeded, but the agent reports acting without your answer.",
		another: "Succeeded, but the agent reports something other than what was allowed.",
	},
	/** The title of an outcome that includes a reported edit, deletion or move that did not happen. */
	untrue: "Succeeded, but not everything that the agent reports happened.",
	unpermittedFact: {
		denied: "did something that was denied, by its own report",
		found: "was denied an edit, but the file has changed since",
		unanswered: "acted without your answer, by its own report",
		another: "reported something other than what was allowed",
	},
	/** The command that was allowed and the one that the agent reports, if they differ. */
	swapped: "allowed “{allowed}”, reported “{reported}”",
} as const;

/** All receipts of one call. */
export const trailWords = {
	label: "Receipts of this call",
	loading: "Loading receipts",
	input: "Input {digits}",
	output: "Output {digits}",
	took: "in {time}",
	first: "first attempt",
	attempt: "attempt {count}",
	again: "Try again",
} as const;

/** What a receipt adds, on one line, for a call reported or found to have been made without permission. */
export const unpermittedLines: Readonly<Record<Unpermitted, string>> = {
	denied: "although it was denied",
	found: "although it was denied: its file has changed",
	unanswered: "before its request was answered",
	another: "but not as allowed",
};

/** What a receipt adds, on one line, for a report that was untrue when the bridge looked. */
export const contradictionLines: Readonly<Record<Contradiction, string>> = {
	not_found: "but the file did not exist",
	still_there: "but the file was still there",
	untouched: "but the file had not changed",
	not_held: "but the file did not contain the reported text",
};

/** How far receipts back an answer. */
export const groundingWords = {
	/** Read by a screen reader before a marked sentence. */
	spoken: "Couldn’t verify:",
	lead: "Couldn’t verify",
	one: "the marked sentence: {why}",
	many: "the {count} marked sentences: {why}",
	manyOrMore: "the {count} marked sentences, and possibly later ones: {why}",
	/** For sentences that are listed one by one, because their reasons differ or they are in earlier messages. */
	each: { one: "this sentence:", many: "these {count} sentences:" },
	eachOrMore: "these {count} sentences, and possibly others:",
	eachOf: "“{said}”: {why}",
	/** For claims that are unverified but not contradicted by anything. */
	mayBeTrue: {
		one: "It may still be true, so check before you rely on it.",
		many: "They may still be true, so check before you rely on them.",
	},
	noAction: "no file or call in this run confirms this.",
	noActionMany: "no file or call in this run confirms them.",
	denied: "the agent reports doing something that was denied.",
	found: "a file was changed even though the edit was denied.",
	noActionOf: "no file or call in this run confirms this of {file}.",
	noFile: "a file reported as written or moved wasn’t there when the run ended.",
	noFileOf: "{file} was reported as written or moved, but wasn’t there when the run ended.",
	notHere: "a file reported as written or moved wasn’t found in the run’s folders when the run ended.",
	notHereOf: "{file} was reported as written or moved, but wasn’t found in the run’s folders when the run ended.",
	stillThere: "a file reported as deleted was still there when the run ended.",
	stillThereOf: "{file} was reported as deleted, but was still there when the run ended.",
	notAllowed: "this run asked for permission, and didn’t get it.",
	noSuccess: "something that this run tried failed, wasn’t allowed, or has an unknown outcome.",
	oursLead: "XWorkmate wrote this answer.",
	ours: "What the assistant wrote couldn’t be verified against its receipts.",
	oursAlone: "The assistant didn’t write one.",
	said: "What it said",
	unverified: { one: "Succeeded. 1 claim couldn’t be verified.", many: "Succeeded. {count} claims couldn’t be verified." },
	replaced: "Succeeded. The assistant’s own answer couldn’t be verified.",
	replacedFact: "The assistant’s own answer couldn’t be verified",
	orMore: "{count} or more",
	claims: { one: "1 claim couldn’t be verified", many: "{count} claims couldn’t be verified" },
	proof: "Receipt {n} of: {what}",
} as const;
