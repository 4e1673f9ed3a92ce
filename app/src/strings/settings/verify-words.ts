/** English text of the button that verifies everything that is stored. `fill` replaces values in braces. */
export const verifyWords = {
	title: "Stored data",
	say: "Reads the databases, the logs of runs and plans, every stored file, the threads’ files and the receipts, and compares them with their records. Nothing is changed, and runs continue.",
	verify: "Verify everything",
	stop: "Stop",
	begun: "Verifying…",
	parts: {
		databases: "Reading the databases",
		logs: "Reading the logs of runs and plans",
		storedFiles: "Reading the stored files",
		changeRecords: "Checking the records of changes in git repositories",
		threadFiles: "Reading the files in threads’ folders",
		receipts: "Verifying the receipts",
	},
	howFar: "{part}: {done} of {of}",
	intact: "Everything that was verified matches its record.",
	damaged: "Something doesn’t match its record or couldn’t be read.",
	asOf: "Verified at {time} in {span}",
	stopped: "Stopped before everything was verified.",
	failed: "Couldn’t verify: {problem}",
} as const;
