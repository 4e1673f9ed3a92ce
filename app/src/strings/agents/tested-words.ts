/** Whether an available agent was tested, and when, wherever the agent is listed. */
export const testedWords = {
	untested: "Found, not tested yet",
	answered: "answered its last test, {when}",
	failed: "failed its last test, {when}",
	inRun: "answered in a run, {when}",
	notReady: "Not ready",
	failedRun: "a run failed, {when}",
	testing: "Testing",
	ready: "Ready",
	test: "Test {name}",
	testIt: "Test",
	took: "Tested: responded in {time}, {when}",
	notRun: "Not tested: the bridge couldn’t be reached.",
	cutOff: "The last test was interrupted.",
} as const;
