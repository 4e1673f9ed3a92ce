/** English text about system notifications. */
export const noticeWords = {
	title: "Notifications",
	name: "System notifications",
	say: "Notify me when a run finishes or needs approval while XWorkmate is in the background.",
	offer: "A run finished while you were away. Turn on notifications?",
	ask: "Turn on",
	notNow: "Not now",
	off: "Blocked in your browser settings",
	none: "This browser can’t show notifications here.",
} as const;
