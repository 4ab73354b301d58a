const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Writes a time as kubectl describes it, in the zone of this process: `Fri, 20 Nov 2026 08:00:00 +0000` (RFC 1123). */
export function timeText(time: string | null | undefined): string {
  const date = new Date(time ?? Number.NaN);
  // Go's zero time, which stands for none.
  if (Number.isNaN(date.getTime())) return "Mon, 01 Jan 0001 00:00:00 +0000";
  const two = (number: number) => String(number).padStart(2, "0");
  const zone = -date.getTimezoneOffset();
  const offset = `${zone < 0 ? "-" : "+"}${two(Math.trunc(Math.abs(zone) / 60))}${two(Math.abs(zone) % 60)}`;
  const day = `${DAYS[date.getDay()]}, ${two(date.getDate())} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} ${offset}`;
}
