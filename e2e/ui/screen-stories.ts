/** What the pictures show: a user's words, and what the agent does with them (e2e/fakes/unruly/directives.ts). */
interface Story {
	readonly prompt: string;
	readonly script: string;
	readonly required?: readonly string[];
}

const update = (value: object) => `UPDATE ${JSON.stringify(value)}`;

/** A tool call from its begin to its end. */
function tool(kind: string, title: string, rawInput: object, ...content: readonly object[]): string {
	const toolCallId = title;
	return [
		update({ sessionUpdate: "tool_call", toolCallId, title, kind, status: "pending", rawInput }),
		update({ sessionUpdate: "tool_call_update", toolCallId, status: "in_progress" }),
		update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed", content }),
	].join(" ;; ");
}

/** A path that the bridge finds a reported edit at. */
const inScope = (path: string) => `$XWORKMATE_ARTIFACT_DIRECTORY/${path}`;

const said = (text: string) => ({ type: "content", content: { type: "text", text } });

function plan(done: number, ...steps: readonly string[]): string {
	const status = (index: number) => (index < done ? "completed" : index === done ? "in_progress" : "pending");
	const entries = steps.map((content, index) => ({ content, priority: "medium", status: status(index) }));
	return update({ sessionUpdate: "plan", entries });
}

const report = `# Backing up a live SQLite database

Four ways to copy a 2 GB database while a writer runs, each timed five times. **Use the backup API**: it is safe under writes and second only to an unsafe file copy.

| Method | Median | Spread | Safe while writing |
|---|---:|---:|---|
| Backup API | 5.4 s | 0.3 | yes |
| \`VACUUM INTO\` | 8.8 s | 0.4 | yes |
| File copy, WAL | 3.4 s | 0.2 | no |
| \`.dump\` | 18.4 s | 1.1 | yes |

## What surprised us

A file copy passed its check in four of five runs. The fifth lost the last 61 writes without any error.
`;

const runs = "method,run,seconds\nbackup,1,5.3\nbackup,2,5.4\nvacuum,1,8.8\ncopy,1,3.4\ndump,1,18.2\n";

const steps = {
	finished: {
		prompt: "Compare four ways to back up a live SQLite database. Measure them and recommend one.",
		required: ["report.md", "tables/*.csv"],
		script: [
			"UNRULY:THINK Four candidates: the backup API, VACUUM INTO, a file copy of the WAL database, and .dump. Each five times, with a writer.",
			tool("search", "sqlite backup while writing", { query: "sqlite backup while writing" }, said("12 results")),
			tool("execute", "node measure.js --runs 5", { command: "node measure.js --runs 5" }, said("20 runs, 0 errors")),
			`WRITE report.md ${report}`,
			tool(
				"edit",
				"report.md",
				{ path: inScope("report.md") },
				{ type: "diff", path: inScope("report.md"), oldText: "", newText: "# Backing up a live SQLite database\n" },
			),
			`WRITE tables/runs.csv ${runs}`,
			"SAY Use the **backup API**. It is safe while the database is written to and takes 5.4 s for 2 GB. A plain file copy is faster, but one of five copies lost writes.\n\nThe report has the method and the numbers, the table every run.",
			update({ sessionUpdate: "usage_update", used: 18_200, size: 200_000 }),
		],
	},
	missing: {
		prompt: "Make the slides for the site visit, with the photos in a folder of their own.",
		required: ["slides.html", "photos/*.jpg"],
		script: [
			tool("read", "visit-plan.md", { path: "visit-plan.md" }, said("41 lines")),
			"WRITE slides.html <!doctype html><title>Site visit</title><h1>Site visit</h1><p>Six stops, one hour each.</p>",
			"SAY The slides are ready: six stops with times and contacts. I also saved the photos.",
		],
	},
	failed: {
		prompt: "Convert the survey to CSV, one row for each answer.",
		script: [
			tool("read", "survey.txt", { path: "survey.txt" }, said("1,204 lines")),
			"SAY The survey has 301 answers in four sections. I begin with the first.",
			"DIE 3",
		],
	},
	running: {
		prompt: "Translate the handbook into German. Keep the terms of the glossary.",
		script: [
			"THINK The glossary is binding. Chapter 4 uses three words that are not in it; they need a decision.",
			plan(3, "Read the glossary", "Chapters 1 to 3", "Collect the terms used so far", "Chapter 4: Safety", "Write the list of terms"),
			tool("read", "glossary.csv", { path: "glossary.csv" }, said("212 terms")),
			"WRITE handbook/03-tools.de.md ## Werkzeuge\n",
			tool(
				"edit",
				"handbook/03-tools.de.md",
				{ path: inScope("handbook/03-tools.de.md") },
				{ type: "diff", path: inScope("handbook/03-tools.de.md"), oldText: "## Tools\n", newText: "## Werkzeuge\n" },
			),
			"SAY Chapters 1 to 3 are **translated**, with every term as the glossary has it. Chapter 4 says “lockout” where the glossary has “isolation”; I use the glossary's word and note each place.",
			"HANG",
		],
	},
	asking: {
		prompt: "Draw the energy use of the third quarter from readings.csv, as a chart for the report.",
		script: [
			tool("read", "readings.csv", { path: "readings.csv" }, said("2,208 rows, 3 gaps")),
			"SAY The readings are complete but for three hours in August, which I mark in the chart. Drawing it needs a library that is not installed here.",
			"ASK python3 -m pip install matplotlib==3.9.2",
		],
	},
	cancelled: {
		prompt: "Check every link of the help pages.",
		script: ["SAY 40 of 312 pages are checked so far; two links lead nowhere.", "HANG"],
	},
	earlier: {
		prompt: "Write the minutes of the planning round from my notes.",
		script: [
			"WRITE minutes.md # Planning round\n\nDecided: the pilot starts in March, with two teams.\n",
			"SAY The minutes stand in `minutes.md`. One point was open: who tells the teams.",
		],
	},
} as const satisfies Record<string, Omit<Story, "script"> & { readonly script: readonly string[] }>;

export type StoryName = keyof typeof steps;

export function story(name: StoryName): Story {
	const { script, ...rest } = steps[name];
	const [first = "", ...others] = script;
	return { ...rest, script: [first.startsWith("UNRULY:") ? first : `UNRULY:${first}`, ...others].join(" ;; ") };
}

/** The file for UNRULY_STORIES. */
export function storiesFile(): string {
	return JSON.stringify(
		Object.fromEntries(Object.keys(steps).map((name) => [steps[name as StoryName].prompt, story(name as StoryName).script])),
	);
}
