/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_CONTROL_KEY_H
#define DCN_CONTROL_KEY_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief What is known of a parameter of a congestion control: a key of network.csv and an
 * attribute of DcnNetworkConfig.
 *
 * A control defines its keys beside its class, as static DcnControlKey objects, and lists them in
 * its registration (DcnNetworkConfig::Control). The registration gives each key a slot, so that a
 * value is read without a search by name (DcnNetworkParameters::Get).
 */
class DcnControlKeyInfo
{
  public:
    /// What is special about a key.
    enum class Property
    {
        PLAIN,   //!< nothing
        PER_NIC, //!< a rate in proportion to that of a NIC (DcnNetworkParameters::ForNic)
        RARE,    //!< network.csv has the key only if it differs from its default
    };

    /// What the values are.
    enum class Kind
    {
        NUMBER, //!< real numbers: double
        WHOLE,  //!< whole numbers: uint64_t
        FLAG,   //!< 0 or 1: bool
        RATE,   //!< whole numbers of bit/s: DataRate
        TIME,   //!< whole numbers of us if the name ends so, else of ns: Time
    };

    /// Slot of a key that is not registered.
    static constexpr uint32_t NO_SLOT = std::numeric_limits<uint32_t>::max();

    /**
     * @param bits a value as DcnNetworkParameters::own has it
     * @return the value in the unit of the key
     */
    double ToNumber(uint64_t bits) const
    {
        return kind == Kind::NUMBER ? Copy<double>(bits)
                                    : static_cast<double>(bits) / (isMicroseconds ? 1000 : 1);
    }

    /**
     * @param number a value in the unit of the key
     * @return the value as DcnNetworkParameters::own has it
     */
    uint64_t FromNumber(double number) const
    {
        return kind == Kind::NUMBER ? Copy<uint64_t>(number)
                                    : static_cast<uint64_t>(number) * (isMicroseconds ? 1000 : 1);
    }

    const char* const name;      //!< in network.csv: the control's name, an underscore, and a word
    const char* const attribute; //!< of DcnNetworkConfig
    const char* const help;      //!< of the attribute
    const Kind kind;             //!< what the values are
    const double initial;        //!< default, in the key's unit
    const double least;          //!< smallest value, in the key's unit
    const double most;           //!< largest value of numbers; 0: 1, or none for whole numbers
    const Property property;     //!< what is special about it
    const bool isMicroseconds;   //!< times in the file are in us, not in ns
    const uint64_t initialBits;  //!< default as DcnNetworkParameters::own has it
    mutable uint32_t slot{NO_SLOT}; //!< place in DcnNetworkParameters::own; by the registration

  protected:
    /**
     * @param theName see name; this and the other texts are literals
     * @param theAttribute see attribute
     * @param theHelp see help
     * @param theKind see kind
     * @param theInitial see initial
     * @param theLeast see least
     * @param theMost see most
     * @param theProperty see property
     */
    DcnControlKeyInfo(const char* theName,
                      const char* theAttribute,
                      const char* theHelp,
                      Kind theKind,
                      double theInitial,
                      double theLeast,
                      double theMost,
                      Property theProperty)
        : name(theName),
          attribute(theAttribute),
          help(theHelp),
          kind(theKind),
          initial(theInitial),
          least(theLeast),
          most(theMost),
          property(theProperty),
          isMicroseconds(theKind == Kind::TIME &&
                         std::string(theName).rfind("_us") == std::strlen(theName) - 3),
          initialBits(FromNumber(theInitial))
    {
    }

    /**
     * @param from a number
     * @return the number of another type that has the same bits
     */
    template <class To, class From>
    static To Copy(From from)
    {
        To to;
        static_assert(sizeof(to) == sizeof(from), "all bits");
        std::memcpy(&to, &from, sizeof(to));
        return to;
    }
};

/**
 * @ingroup dcn
 * @brief A parameter of a congestion control with values of a type.
 * @tparam T double, uint64_t, bool, DataRate or Time; the attribute has this type
 */
template <class T>
class DcnControlKey : public DcnControlKeyInfo
{
  public:
    /// As the control reads it: rates in bit/s, times in ns.
    using Value = std::conditional_t<std::is_same_v<T, DataRate>,
                                     uint64_t,
                                     std::conditional_t<std::is_same_v<T, Time>, int64_t, T>>;

    /**
     * @param name see DcnControlKeyInfo; this and the other texts are literals
     * @param attribute see DcnControlKeyInfo
     * @param help see DcnControlKeyInfo
     * @param initial default, in the key's unit
     * @param least smallest value, in the key's unit
     * @param most largest value of numbers; 0: 1 for real numbers, none for whole ones
     * @param property what is special about it
     */
    DcnControlKey(const char* name,
                  const char* attribute,
                  const char* help,
                  double initial,
                  double least = 0,
                  double most = 0,
                  Property property = Property::PLAIN)
        : DcnControlKeyInfo(name, attribute, help, KindOf(), initial, least, most, property)
    {
    }

    /// A key with the whole range of its type. @copydetails DcnControlKey
    DcnControlKey(const char* name,
                  const char* attribute,
                  const char* help,
                  double initial,
                  Property property)
        : DcnControlKey(name, attribute, help, initial, 0, 0, property)
    {
    }

    /**
     * @param bits a value as DcnNetworkParameters::own has it
     * @return the value
     */
    static Value Decode(uint64_t bits)
    {
        if constexpr (std::is_same_v<T, double>)
        {
            return Copy<double>(bits);
        }
        else
        {
            return static_cast<Value>(bits);
        }
    }

    /**
     * @param value a value
     * @return the value as DcnNetworkParameters::own has it
     */
    static uint64_t Encode(Value value)
    {
        if constexpr (std::is_same_v<T, double>)
        {
            return Copy<uint64_t>(value);
        }
        else
        {
            return static_cast<uint64_t>(value);
        }
    }

  private:
    /** @return what values of the type are. */
    static constexpr Kind KindOf()
    {
        return std::is_same_v<T, double>     ? Kind::NUMBER
               : std::is_same_v<T, bool>     ? Kind::FLAG
               : std::is_same_v<T, DataRate> ? Kind::RATE
               : std::is_same_v<T, Time>     ? Kind::TIME
                                             : Kind::WHOLE;
    }

    static_assert(std::is_same_v<T, double> || std::is_same_v<T, uint64_t> ||
                      std::is_same_v<T, bool> || std::is_same_v<T, DataRate> ||
                      std::is_same_v<T, Time>,
                  "no type of keys");
};

} // namespace ns3

#endif /* DCN_CONTROL_KEY_H */
