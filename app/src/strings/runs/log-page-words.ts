import type { Participant } from "../../api/ui-api.ts";

/** English text for the page of a run's log, and for the words that it shares with a run's phases. */
export const logPageWords = {
	title: "Run log",
	total: "{time} total",
	/** Shown instead of `total` until the run has ended. */
	soFar: "{time} so far",
	export: "Export JSON",
	all: "All {count}",
	handoffs: "Handoffs",
	tools: "Tools",
	problems: "Problems {count}",
	show: "Show",
	refresh: "Refresh",
	events: "Events",
	number: "#",
	time: "Time",
	event: "Event",
	more: "Not all events are shown. Export to see everything.",
	to: "{from} to {to}",
	empty: "No events yet.",
	noMatch: "No events of this kind.",
	close: "Back to the conversation",
	named: "{word}, {count} parts",
	forAgent: "for {agent}",
	phases: "Phases",
	details: "Event details",
	closeDetails: "Close details",
	backToLog: "Back to the run log",
	copy: "Copy text",
	when: "Time",
	sinceStart: "{time} after the start",
	where: "Where",
	numbers: "{first} to {last}",
	parts: "Parts",
	took: "Duration",
	text: "Text",
	noText: "This event has no text.",
	showAll: "Show all {count} characters",
	sending: "Sending",
	/** The time before an interruption in which the run's log got nothing. */
	unrecorded: "Nothing recorded",
	saving: "Saving files",
} as const;

/** Who takes part in a handoff. An agent has its own name there. */
export const hopWords: Readonly<Record<Participant, string>> = {
	app: "App",
	bridge: "Bridge",
	agent: "Agent",
	openclaw: "OpenClaw",
	plugin: "Plugin",
	sync: "Sync",
};
