import type { DeliveryCode, LintRule, OccurrenceCode } from "@xworkmate/contracts";

/** What the user can do about a message or an occurrence that did not go as planned. */
export type PlanDo =
	| "run_again"
	| "write"
	| "edit"
	| "send"
	| "send_anyway"
	| "discard"
	| "did_it_arrive"
	| "send_again"
	| "send_rest"
	| "run_now"
	| "open_thread"
	| "fix_channel"
	| "open_channel"
	| "set_up_channel"
	| "choose_template"
	| "change_limit"
	| "open_contact";

/** May contain {channel}. */
export const planDoWords: Readonly<Record<PlanDo, string>> = {
	run_again: "Run again",
	write: "Write it yourself",
	edit: "Edit",
	send: "Send",
	send_anyway: "Send anyway…",
	discard: "Discard",
	did_it_arrive: "Did it arrive?",
	send_again: "Send again…",
	send_rest: "Send the rest…",
	run_now: "Run now",
	open_thread: "Open thread",
	fix_channel: "Fix {channel}",
	open_channel: "Open {channel}",
	set_up_channel: "Set up {channel}",
	choose_template: "Choose a template",
	change_limit: "Change the limit",
	open_contact: "Open contact",
};

interface PlanCodeWords {
	/** May contain {channel} and {count}, which is the number of attempts. */
	readonly title: string;
	/**
	 * One or more sentences, which may contain {agent} and {channel}; for MISSED, also {count}, {first} and {last}. The page shows them for
	 * the gate's codes, and the command also shows them for codes without a message from the bridge.
	 */
	readonly meaning?: string;
	readonly actions: readonly PlanDo[];
}

/** A code that needs no explanation here: if there are details, they are in the bridge's own message. */
const named = (title: string, ...actions: readonly PlanDo[]): PlanCodeWords => ({ title, actions });
const words = (title: string, meaning: string, ...actions: readonly PlanDo[]): PlanCodeWords => ({ title, meaning, actions });

/**
 * Why a message is held, has an unknown outcome or was not sent, and why an occurrence failed, was skipped or is waiting. A title says what
 * was true when the record was made, because things may have changed since: a recipient may have written, or a channel may have been set
 * up.
 */
export const planCodeWords: Readonly<Record<DeliveryCode | OccurrenceCode, PlanCodeWords>> = {
	GATE_MISSING: words(
		"No message was written",
		"{agent} finished the work but didn’t mark any text as the message.",
		"run_again",
		"write",
		"discard",
	),
	GATE_EMPTY: words(
		"The message is empty",
		"{agent} finished the work but put nothing between the message tags.",
		"run_again",
		"write",
		"discard",
	),
	GATE_DECLINED: words(
		"The agent declined",
		"{agent} declined to write this message. If it gave a reason, it is in the plan’s thread.",
		"run_again",
		"write",
		"discard",
	),
	GATE_UNCLOSED: words(
		"The message is incomplete",
		"It has an opening tag but no closing tag, so it’s unclear where the message ends.",
		"run_again",
		"write",
		"discard",
	),
	GATE_SEVERAL: words(
		"More than one message",
		"{agent} marked more than one message, and only one can be sent.",
		"run_again",
		"write",
		"discard",
	),
	GATE_NESTED: words(
		"A message inside a message",
		"One marked message contains another, so it’s unclear which one to send.",
		"run_again",
		"write",
		"discard",
	),
	GATE_TRAILING: words(
		"Text after the message",
		"{agent} wrote more after the message, which must come last.",
		"run_again",
		"write",
		"discard",
	),
	GATE_TOO_LARGE: words("The message is too large", "The limit for a message is 262 kB.", "run_again", "write", "discard"),
	GATE_MALFORMED: words(
		"The message tags are broken",
		"The tags around the message are misspelled or in the wrong place: the opening tag must begin a line outside code blocks, and the closing tag must end the answer.",
		"run_again",
		"write",
		"discard",
	),
	LINT_TOO_LONG: named("Too long for {channel}", "edit", "run_again", "discard"),
	LINT_HEADING: words(
		"Contains headings",
		"{channel} doesn’t support headings, so their markup would show.",
		"edit",
		"run_again",
		"discard",
	),
	LINT_CODE_FENCE: words(
		"Contains a code block",
		"{channel} doesn’t support Markdown’s code blocks, so some of their markup would show.",
		"edit",
		"run_again",
		"discard",
	),
	LINT_BULLET: words("Contains a bulleted list", "The bullets would show as typed.", "edit", "run_again", "discard"),
	LINT_TABLE: words("Contains a table", "{channel} can’t show tables.", "edit", "run_again", "discard"),
	LINT_INVISIBLE: named("Hidden characters", "edit", "run_again", "discard", "send_anyway"),
	LINT_BIDI: words(
		"Text direction is overridden",
		"Some text could appear in a different order from how it was written.",
		"edit",
		"run_again",
		"discard",
		"send_anyway",
	),
	LINT_REMOTE_IMAGE: named("Refers to an image that the message won’t show", "edit", "run_again", "discard", "send_anyway"),
	LINT_LINK_TEXT: named("A link hides where it goes", "edit", "run_again", "discard", "send_anyway"),
	LINT_CREDENTIALS: named("A link contains sign-in data", "edit", "run_again", "discard", "send_anyway"),
	LINT_SECRET: named("Contains a secret, or text that looks like one", "edit", "run_again", "discard", "send_anyway"),
	UNVERIFIED_CLAIM: named("The message says something was done, but nothing confirms it", "send", "edit", "run_again", "discard"),
	WORK_UNVERIFIED: named("The work couldn’t be verified", "open_thread", "send", "edit", "run_again", "discard"),
	CHANNEL_AUTH: named("{channel} sign-in failed", "fix_channel", "send", "discard"),
	CHANNEL_BLOCKED: named("Sending through {channel} was blocked", "open_channel", "send", "discard"),
	CHANNEL_UNAVAILABLE: named("{channel} wasn’t ready", "set_up_channel", "send", "discard"),
	RECIPIENT_UNKNOWN: named("There was no address for the recipient", "open_contact", "send", "discard"),
	WINDOW_CLOSED: named("WhatsApp’s 24-hour window was closed", "choose_template", "send", "discard"),
	TEMPLATE_INVALID: named("WhatsApp rejected the template", "choose_template", "send", "discard"),
	ATTACHMENT_MISSING: named("The files couldn’t be attached", "run_again", "edit", "discard"),
	RUN_INTERRUPTED: words(
		"The work was interrupted",
		"The work wasn’t restarted automatically, because it may have changed something or had been restarted before.",
		"run_again",
		"open_thread",
		"discard",
	),
	RETRIES_EXHAUSTED: named("Gave up after {count} attempts", "send", "open_channel", "discard"),
	TOO_LATE: named("Too late to send automatically", "send", "discard"),
	MISSED: words(
		"Missed its due time",
		"{count} due times were missed (from {first} to {last}), too long ago to catch up on.",
		"run_now",
		"discard",
	),
	SEND_LIMIT: words(
		"Hourly limit reached",
		"The hourly limit on messages sent automatically through {channel} was reached.",
		"send",
		"change_limit",
		"discard",
	),
	DUPLICATE_CONTENT: named("The same message was just sent, or may have been", "send", "discard"),
	STORE_RESTORED: words(
		"Held because the data folder was restored from a backup",
		"The backup doesn’t show what was sent after it was made, so nothing is sent until you decide.",
		"send",
		"discard",
	),
	NO_ANSWER: named("Unknown whether the message was sent", "did_it_arrive", "send_again"),
	BRIDGE_RESTARTED: named("Unknown whether the message was sent", "did_it_arrive", "send_again"),
	NO_CONFIRMATION: named("Accepted, but never confirmed", "did_it_arrive", "send_again"),
	RECIPIENT_REFUSED: named("Couldn’t be delivered to the recipient", "open_contact", "send_again"),
	CONTENT_REFUSED: named("The message couldn’t be sent as it is", "run_now"),
	WORK_FAILED: words("The work failed", "{agent} didn’t succeed, so nothing was sent.", "run_now", "open_thread"),
	WORK_UNKNOWN: words(
		"Outcome unknown",
		"The work wasn’t restarted automatically, because it may have changed something or had been restarted before.",
		"run_now",
		"open_thread",
	),
	WORK_NOT_VERIFIED: words(
		"Not verified",
		"The run ended, but its record contradicts what the agent reported, or the outcome of a call is unknown.",
		"run_now",
		"open_thread",
	),
	DISCARDED: named("Discarded"),
	CANCELLED: named("Cancelled"),
	NOT_SENT: named("Not sent", "send_again"),
	NOTHING_TO_SAY: words(
		"No message written",
		"{agent} declined to write a message, and this plan sends nothing in that case. If it gave a reason, it is in the plan’s thread.",
	),
	DELIVERY_FAILED: named("Not sent", "send_again"),
	DELIVERY_PARTIAL: named("Partly sent", "send_rest"),
	OVERLAP: words("Skipped", "This plan’s earlier work or messages hadn’t been completed.", "run_now"),
};

/** What a channel objects to in a message, in a few words for a list. */
export const lintWords: Readonly<Record<LintRule, string>> = {
	too_long: planCodeWords.LINT_TOO_LONG.title,
	heading: planCodeWords.LINT_HEADING.title,
	code_fence: planCodeWords.LINT_CODE_FENCE.title,
	bullet: planCodeWords.LINT_BULLET.title,
	table: planCodeWords.LINT_TABLE.title,
	invisible: planCodeWords.LINT_INVISIBLE.title,
	bidi: planCodeWords.LINT_BIDI.title,
	remote_image: planCodeWords.LINT_REMOTE_IMAGE.title,
	link_text: planCodeWords.LINT_LINK_TEXT.title,
	credentials: planCodeWords.LINT_CREDENTIALS.title,
	secret: planCodeWords.LINT_SECRET.title,
};
