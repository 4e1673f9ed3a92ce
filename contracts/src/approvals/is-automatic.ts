/** True for the decider of a request that no one was asked about: a temporary permission, or a rule of the settings. */
export function isAutomatic(by: string): boolean {
	return /^(?:window|configuration):/.test(by);
}
