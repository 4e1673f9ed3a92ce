import type { IntegrationState, PolicyDecision, ToolProblemCode } from "@xworkmate/contracts";

export const integrationWords: Readonly<Record<IntegrationState, string>> = {
	active: "Active",
	unaccepted: "New version to review",
	failed: "Failed to load",
};

/** What is wrong with an integration's files, and the hint for it. The bridge's own message is shown beside it. */
export const toolProblemWords: Readonly<Record<ToolProblemCode, { readonly title: string; readonly hint?: string }>> = {
	SYNTAX: { title: "Syntax error" },
	IMPORT_FAILED: { title: "The file can’t be loaded" },
	IMPORT_TIMEOUT: { title: "Loading took longer than 5 s and was stopped", hint: "Look for code that runs outside a handler." },
	NO_TOOLS: { title: "No tools in this folder", hint: "Export at least one defineTool()." },
	BAD_ID: {
		title: "A tool’s id or name isn’t valid",
		hint: "An id has the form integration.resource.action, in letters and digits.",
	},
	FOREIGN_INTEGRATION: {
		title: "A tool’s id belongs to another integration or to the built-in tools",
		hint: "Every id must start with the name of its folder. The folder can’t be named files, time or xworkmate.",
	},
	DUPLICATE_ID: { title: "Two tools have the same id" },
	DUPLICATE_NAME: { title: "Two files export the same name" },
	BAD_SCHEMA: { title: "A tool’s definition isn’t valid" },
	TOO_LARGE: { title: "This integration is too large" },
	HOST_LOST: { title: "The tool process ended or didn’t start", hint: "If it ended, it may have used more than 134 MB of memory." },
};

export const ruleWords: Readonly<Record<PolicyDecision, string>> = { allow: "Allow", ask: "Ask", deny: "Deny" };

/** A tool's own rule, in words for the middle of a sentence. */
export const ownRuleWords = {
	allow: "allow",
	ask: "ask",
	deny: "deny",
	risk: "the default for its risk",
	code: "decided by its code for each call",
	unknown: "not recorded",
} as const;

/** English text of the page of all tools. */
export const toolsPageWords = {
	title: "Tools",
	lead: "Programs can act only through these tools and the built-in ones",
	reload: "Reload",
	reloaded: "Reloaded {integrations}.",
	toReview: "{count} to review.",
	notLoaded: { one: "1 integration failed to load.", many: "{count} integrations failed to load." },
	permissions: "Temporarily allowed",
	left: "{time} left",
	inThread: "in “{title}”",
	allowedAt: "allowed by {who}, {time}",
	revoke: "Revoke",
	revokeOf: "Revoke: {what}",
	revoked: "Revoked. It no longer allows any calls.",
	integrations: "Integrations",
	acceptedAt: "accepted by {name}, {when}",
	stays: "the last version that loaded is still in use",
	asksUntil: "calls that no rule denies need approval until it is accepted",
	version: "version",
	review: "Review",
	reviewOf: "Review {name}",
	reloadOf: "Reload {name}",
	openFolder: "Open data folder",
	at: "{file}, line {line}, column {column}",
	atLine: "{file}, line {line}",
	rule: "Rule for {tool}",
	defaultRule: "Default",
	codeRule: "Tool’s code decides",
	toolRuleOf: "Tool’s rule: {rule}",
	ruleSet: "{tool}: {rule}",
	secret: "Secret: {names}",
	empty: "No tools yet",
	emptySay: "Until you add tools, programs have only the built-in ones, such as files.write.",
	add: "Add {name} example",
	adding: "Adding…",
	/** Whether an added integration has loaded, and whether it is accepted. */
	added: {
		active: "Added {name}. From now on, it follows your rules.",
		unaccepted: "Added {name}. Calls that no rule denies need your approval until you accept it.",
		failed: "Added {name}, but it failed to load.",
	},
	addMore: "Add tools",
	addSay:
		"Examples are copied into your data folder with their source, and accepted. You can change them; each change needs your review, unless tool code is accepted automatically.",
	fresh: "New integration",
	freshSay:
		"This creates a working file to start from. Creating it also accepts it; later changes need your review, unless tool code is accepted automatically.",
	freshName: "Name",
	freshHint: "A lowercase letter, then letters and digits, such as library",
	freshDo: "Create",
	failed: "The tools couldn’t be loaded.",
	again: "Try again",
	loading: "Loading tools…",
	tools: { one: "1 tool", many: "{count} tools" },
	integrationsCount: { one: "1 integration", many: "{count} integrations" },
} as const;

/** English text of the review of a version. */
export const reviewWords = {
	title: "Review {name}",
	back: "Back to tools",
	powers: "Changes to what this integration can do",
	noPowers: "Its tools declare nothing new.",
	all: "Capabilities of this version",
	allSay: "The tools of the previous version aren’t recorded here, so everything is listed.",
	isNew: "New tool",
	gone: "Removed",
	riskRaised: "Risk raised",
	riskLowered: "Risk lowered",
	was: "It was {before} and is now {after}.",
	wasLowered: "It was {before} and is now {after}, so it may ask less often.",
	rule: "Rule changed",
	ruleUnknown: "Rule not recorded",
	ruleWas: "Its own rule was {before} and is now {after}.",
	codeBefore: "Its code decided for each call; now its own rule is {after}.",
	rulesUnknown: "It isn’t recorded whether its code decides for each call, so its own rule may have changed.",
	codeNow: "Its own rule was {before}; now its code decides for each call.",
	window: "May be allowed for 15 minutes",
	windowSay: "Until now, each approval covered only one call.",
	idempotent: "May be repeated",
	idempotentSay: "After an attempt with an unknown outcome, the tool may be called again.",
	secret: "New secret",
	secretSay: "{name} is passed to {tool} when a call is allowed.",
	ownRule: "Its own rule: {rule}.",
	code: "Code",
	files: { one: "1 file", many: "{count} files" },
	same: "The files haven’t changed.",
	fileGone: "removed",
	fileNew: "new",
	accept: "Accept this version",
	accepting: "Accepting…",
	notNow: "Not now",
	untilThen: "Until you accept it, no call is made without your approval.",
	from: "from {before} to {after}",
	only: "version {after}",
	accepted: "Accepted {name}. From now on, it follows your rules.",
	changed: "{name} changed again while you were reading. This is the newest version.",
	already: "You have accepted this version.",
	failed: "This version couldn’t be loaded.",
	again: "Try again",
	loading: "Loading the code…",
} as const;
