export interface Account {
	/** The calendar's own address, as in `https://dav.example.org/calendars/ada/home/`. */
	readonly url: string;
	readonly user: string;
}

/** Your calendar on a CalDAV server; its password is the secret `calendar.password`. Undefined: a file in the tool's own folder. */
export const account: Account | undefined = undefined;
