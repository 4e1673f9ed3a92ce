/** Maps each method that is named in a fix from an earlier bridge to the text that today's bridge writes instead. */
const todays: readonly (readonly [method: string, fix: string])[] = [
	["xworkmate.contacts.put", "Add the contact, or its address for this channel, under Settings > Contacts."],
	["xworkmate.channels.configure", "Set up the channel under Settings > Channels."],
];

/**
 * The fix for a message. The bridge stores it when it holds the message, so an older message may still have a fix that was written for
 * programs; today's text replaces that fix. The text is repeated here because the page loads no values of the contracts.
 */
export function storedFix(fix: string | undefined): string | undefined {
	return todays.find(([method]) => fix?.includes(method) === true)?.[1] ?? fix;
}
