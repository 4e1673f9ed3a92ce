/** The current names of zones for which runtimes still give an older name. The list is short, because names change rarely. */
const CURRENT: Readonly<Record<string, string>> = {
	"Africa/Asmera": "Africa/Asmara",
	"America/Buenos_Aires": "America/Argentina/Buenos_Aires",
	"America/Catamarca": "America/Argentina/Catamarca",
	"America/Coral_Harbour": "America/Atikokan",
	"America/Cordoba": "America/Argentina/Cordoba",
	"America/Godthab": "America/Nuuk",
	"America/Indianapolis": "America/Indiana/Indianapolis",
	"America/Jujuy": "America/Argentina/Jujuy",
	"America/Louisville": "America/Kentucky/Louisville",
	"America/Mendoza": "America/Argentina/Mendoza",
	"Asia/Calcutta": "Asia/Kolkata",
	"Asia/Katmandu": "Asia/Kathmandu",
	"Asia/Rangoon": "Asia/Yangon",
	"Asia/Saigon": "Asia/Ho_Chi_Minh",
	"Atlantic/Faeroe": "Atlantic/Faroe",
	"Europe/Kiev": "Europe/Kyiv",
	"Pacific/Enderbury": "Pacific/Kanton",
	"Pacific/Ponape": "Pacific/Pohnpei",
	"Pacific/Truk": "Pacific/Chuuk",
};

const CITY = /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/(?:[^/]+\/)?([^/]+)$/i;

/**
 * A zone as people call it: the city of `Asia/Bangkok`, other names in full, with spaces for underscores. A city has one name, whether the
 * zone was named by the user or, under an older name, by the runtime.
 */
export function zoneWords(zone: string): string {
	const current = Object.hasOwn(CURRENT, zone) ? (CURRENT[zone] ?? zone) : zone;
	return (CITY.exec(current)?.[1] ?? current).replaceAll("_", " ");
}

/** True if both names refer to the same zone, as Asia/Kolkata and Asia/Calcutta do. */
export function isSameZone(one: string, other: string): boolean {
	return one === other || (idOf(one) ?? one) === (idOf(other) ?? other);
}

/** The runtime's own name for a zone. */
function idOf(zone: string): string | undefined {
	try {
		return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}
