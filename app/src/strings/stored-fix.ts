/** The fixes that the bridge used to write, by the method that each names, with the text that it writes now. */
const todays: readonly (readonly [method: string, fix: string])[] = [
	["xworkmate.contacts.put", "Add the contact, or its address for this channel, under Settings > Contacts."],
	["xworkmate.channels.configure", "Set up the channel under Settings > Channels."],
];

/**
 * The fix of a message. The bridge stores it when it holds the message, so an older message may still have a fix that was written for
 * programs; today's text replaces it. The text is repeated here because the page loads no values of the contracts.
 */
export function storedFix(fix: string | undefined): string | undefined {
	return todays.find(([method]) => fix?.includes(method) === true)?.[1] ?? fix;
}
