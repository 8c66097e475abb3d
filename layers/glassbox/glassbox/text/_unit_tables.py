"""Tables of scales, currencies and units of measurement, in several languages."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, NamedTuple


class Unit(NamedTuple):
    """A unit: the base unit of its dimension, and the factor (and offset) that lead there."""

    base: str
    factor: Decimal
    offset: Decimal = Decimal(0)


SCALES: Final[dict[str, int]] = {
    "hundred": 2, "thousand": 3, "million": 6, "millions": 6, "billion": 9, "billions": 9, "trillion": 12, "bn": 9,
    "b": 9,
    "mn": 6, "mio": 6, "mrd": 9, "mln": 6, "mld": 9, "tn": 12, "tsd": 3, "tys": 3, "k": 3,
    "tausend": 3, "millionen": 6, "milliarde": 9, "milliarden": 9, "mille": 3, "millions d'": 6, "milliard": 9,
    "milliards": 9, "mil": 3, "millón": 6, "millones": 6, "mil millones": 9, "mila": 3, "milione": 6, "milioni": 6,
    "miliardo": 9, "miliardi": 9, "milhão": 6, "milhões": 6, "bilhão": 9, "bilhões": 9, "tysiąc": 3, "tysiące": 3,
    "tysięcy": 3, "milion": 6, "miliony": 6, "milionów": 6, "miliard": 9, "miliardy": 9, "miliardów": 9,
    "тысяч": 3, "тысячи": 3, "тыс": 3, "миллион": 6, "миллиона": 6, "миллионов": 6, "млн": 6, "миллиард": 9,
    "миллиарда": 9, "миллиардов": 9, "млрд": 9, "万": 4, "萬": 4, "億": 8, "亿": 8, "百万": 6, "千": 3, "兆": 12,
    "만": 4, "억": 8, "ألف": 3, "آلاف": 3, "مليون": 6, "ملايين": 6, "مليار": 9, "lakh": 5, "lakhs": 5, "crore": 7,
    "crores": 7, "लाख": 5, "करोड़": 7, "हज़ार": 3, "हजार": 3, "ล้าน": 6, "พัน": 3, "หมื่น": 4, "แสน": 5,
}  # fmt: skip

_CURRENCIES: Final[dict[str, str]] = {
    "USD": "$ us$ usd dollar dollars u.s.\u00a0dollars us-dollar dólares dólar dollari dollaro доллар долларов "
           "доллара 美元 ドル دولار डॉलर ดอลลาร์",
    "EUR": "€ eur euro euros евро 欧元 ユーロ يورو यूरो ยูโร",
    "GBP": "£ gbp sterling 英镑 ポンド",
    "JPY": "jpy yen 円 日元 ين",
    "CNY": "cny rmb yuan renminbi 人民币 元 يوان",
    "INR": "₹ inr rs rs. rupee rupees रुपये रुपए रुपया",
    "RUB": "₽ rub руб рублей рубля рубль ruble rubles",
    "KRW": "₩ krw won 원",
    "PLN": "pln zł złoty złotych złote",
    "CHF": "chf franken sfr",
    "SEK": "sek", "NOK": "nok", "DKK": "dkk", "CZK": "czk kč",
    "CAD": "c$ ca$ cad", "AUD": "a$ au$ aud", "NZD": "nz$ nzd", "HKD": "hk$ hkd", "SGD": "s$ sgd",
    "BRL": "r$ brl reais real",
    "MXN": "mxn", "TRY": "₺", "ILS": "₪ ils shekel shekels", "UAH": "₴ uah", "THB": "฿ thb baht บาท", "ZAR": "zar rand",
    "EGP": "egp جنيه", "SAR": "sar riyal riyals ريال", "AED": "aed درهم", "VND": "₫ vnd", "¥": "¥",
    "cent": "cent cents ¢",
}  # fmt: skip
CURRENCIES: Final[dict[str, str]] = {
    alias.replace("\u00a0", " "): code for code, aliases in _CURRENCIES.items() for alias in aliases.split(" ")
}

_LENGTH: Final = {
    "0.000000001": "nm nanometre nanometres nanometer nanometers",
    "0.000001": "µm μm micron microns micrometre micrometres micrometer micrometers",
    "0.001": "mm millimetre millimetres millimeter millimeters millimètres milímetros 毫米",
    "0.01": "cm centimetre centimetres centimeter centimeters zentimeter centimètres centímetros centimetri 厘米",
    "1": "m metre metres meter meters metern mètre mètres metro metros metri metry metrów метр метра метров 米 متر "
         "أمتار मीटर เมตร",
    "1000": "km kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres kilómetro kilómetros "
            "chilometri chilometro "
    "quilômetros quilómetros kilometrów км километр километра километров 公里 千米 キロ كيلومتر किलोमीटर กิโลเมตร กม",
    "0.0254": "inch inches", "0.3048": "ft foot feet", "0.9144": "yd yard yards",
    "1609.344": "mi mile miles meilen millas miglia",
    "1852": "nautical_mile nautical_miles",
}  # fmt: skip
_MASS: Final = {
    "0.000001": "µg μg mcg microgram micrograms",
    "0.001": "mg milligram milligrams milligramm milligrammes miligramos 毫克 मिलीग्राम",
    "1": "g gram grams gramm grammes gramos grammi gramów грамм граммов 克 جرام غرام ग्राम กรัม",
    "1000": "kg kilo kilos kilogram kilograms kilogramm kilogrammes kilogramos chilogrammi кг 公斤 千克 كيلوغرام كجم "
            "किलोग्राम กิโลกรัม",
    "1000000": "t ton tons tonne tonnes tonnen toneladas tonnellate ton. тонн 吨 طن टन ตัน",
    "453.59237": "lb lbs", "28.349523125": "oz ounce ounces",
}  # fmt: skip
_TIME: Final = {
    "0.001": "ms millisecond milliseconds millisekunden", "0.000001": "µs μs microsecond microseconds",
    "0.000000001": "ns nanosecond nanoseconds",
    "1": "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondi sekund секунд 秒 ثانية "
         "सेकंड วินาที",
    "60": "min mins minute minutes minuten minuto minutos minuti minut минут минуты 分钟 分 دقيقة دقائق मिनट นาที",
    "3600": "h hr hrs hour hours stunde stunden heure heures hora horas ora ore godzin godziny godzina час часа "
            "часов 小时 時間 ساعة ساعات घंटे घंटा ชั่วโมง",
    "86400": "day days tag tage tagen jour jours día días dia dias giorno giorni dzień dni день дня дней 天 日 يوم "
             "يوما أيام दिन วัน",
    "604800": "week weeks woche wochen semaine semaines semana semanas settimana settimane tydzień tygodnie tygodni "
              "неделя недели недель 周 أسبوع أسابيع सप्ताह สัปดาห์",
}  # fmt: skip
_MONTHS: Final = {
    "1": "month months monat monate monaten mois mes meses mese mesi mês miesiąc miesiące miesięcy месяц месяца "
         "месяцев 个月 شهر أشهر महीने เดือน",
    "12": "year years yr yrs jahr jahre jahren ans année années año años anno anni ano anos rok lata lat год года "
          "лет سنة سنوات عام عاما साल वर्ष ปี",
    "120": "decade decades", "1200": "century centuries",
}  # fmt: skip
_OTHER: Final = {
    "m2": {"0.0001": "cm² cm2", "1": "m² m2 sqm square_metre square_metres square_meter square_meters "
    "quadratmeter 平方米",
           "1000000": "km² km2 square_kilometre square_kilometres square_kilometer square_kilometers "
                      "quadratkilometer 平方公里",
           "10000": "ha hectare hectares hektar", "4046.8564224": "acre acres",
           "0.09290304": "sq_ft square_feet square_foot", "2589988.110336": "sq_mi square_mile square_miles"},
    "l": {"0.001": "ml millilitre millilitres milliliter milliliters 毫升", "0.01": "cl", "0.1": "dl",
    "1": "l litre litres liter liters litern litros litri 升 لتر लीटर ลิตร",
    "1000": "m³ m3 cubic_metre cubic_metres cubic_meter cubic_meters",
          "3.785411784": "gal gallon gallons", "0.473176473": "pint pints"},
    "m/s": {"1": "m/s", "0.277777777777777778": "km/h kmh kph kilometres_per_hour kilometers_per_hour",
    "0.44704": "mph miles_per_hour", "0.514444444444444444": "knot knots"},
    "byte": {"1": "byte bytes", "1000": "kb kilobyte kilobytes", "1000000": "mb megabyte megabytes",
    "1000000000": "gb gigabyte gigabytes", "1000000000000": "tb terabyte terabytes",
             "1024": "kib", "1048576": "mib", "1073741824": "gib", "1099511627776": "tib"},
    "W": {"0.001": "milliwatt milliwatts", "1": "w watt watts", "1000": "kw kilowatt kilowatts",
    "1000000": "mw megawatt megawatts", "1000000000": "gw gigawatt gigawatts"},
    "J": {"1": "j joule joules", "1000": "kj", "3600": "wh", "3600000": "kwh kilowatt-hour kilowatt-hours",
    "3600000000": "mwh", "3600000000000": "gwh", "4.184": "cal calorie", "4184": "kcal calories kalorien"},
    "Hz": {"1": "hz hertz", "1000": "khz", "1000000": "mhz", "1000000000": "ghz"},
    "V": {"0.001": "mv", "1": "v volt volts", "1000": "kv"}, "A": {"0.001": "ma", "1": "amp amps ampere amperes"},
    "Pa": {"1": "pa", "100": "hpa mbar", "1000": "kpa", "100000": "bar", "6894.757": "psi"},
    "dB": {"1": "db decibel decibels"}, "px": {"1": "px pixel pixels"},
    "lb|£": {"1": "pound pounds"}, "pp": {"1": "percentage_point percentage_points prozentpunkte prozentpunkten"},
}  # fmt: skip


def _units() -> dict[str, Unit]:
    table = {"°c": Unit("K", Decimal(1), Decimal("273.15")), "℃": Unit("K", Decimal(1), Decimal("273.15"))}
    table["°f"] = table["℉"] = Unit("K", Decimal(5) / Decimal(9), Decimal("255.372222222222222222"))
    table |= {
        f"degrees {name}": table[sign]
        for name, sign in (("celsius", "°c"), ("centigrade", "°c"), ("fahrenheit", "°f"), ("c", "°c"), ("f", "°f"))
    }
    table |= {"degrees": Unit("°", Decimal(1)), "°": Unit("°", Decimal(1)), "kelvin": Unit("K", Decimal(1))}
    groups = {"m": _LENGTH, "g": _MASS, "s": _TIME, "month": _MONTHS, **_OTHER}
    for base, factors in groups.items():
        for factor, aliases in factors.items():
            for alias in aliases.split():
                table[alias.replace("_", " ")] = Unit(base, Decimal(factor))
    return table


UNITS: Final = _units()
PERCENT: Final = (
    "%", "percent", "per cent", "pct", "prozent", "por ciento", "por cento", "pour cent", "per cento", "procent",
    "percento", "procento", "процент",
    "процента", "процентов", "بالمئة", "بالمائة", "في المئة", "في المائة", "प्रतिशत", "เปอร์เซ็นต์",
    "パーセント", "퍼센트",
)  # fmt: skip
